// The driver's presence at the page is watched here, and the screen kept awake for him.

/** Tells whether somebody is at the page, and keeps the screen on while he drives. */
export class Presence {
  private away = false;
  private lock: WakeLockSentinel | null = null;
  private wanted = false;

  constructor(signal: AbortSignal, onGone: () => void) {
    const gone = (): void => {
      this.away = true;
      onGone();
    };
    const back = (): void => {
      this.away = document.hidden;
      if (!this.away) this.keepAwake(this.wanted); // locks end when a page is hidden
    };
    window.addEventListener('blur', gone, { signal });
    window.addEventListener('focus', back, { signal });
    window.addEventListener('pointerdown', back, { signal, capture: true });
    document.addEventListener('visibilitychange', () => (document.hidden ? gone() : back()), {
      signal,
    });
  }

  /** Nobody is: no device counts, not even a pad that browsers read from afar. */
  get isAway(): boolean {
    return this.away || document.hidden;
  }

  /** A screen that is not touched, as with a pad or by tilting, would go dark. */
  keepAwake(on: boolean): void {
    this.wanted = on;
    if (!on) {
      void this.lock?.release().catch(() => {});
      this.lock = null;
      return;
    }
    if (!('wakeLock' in navigator) || (this.lock !== null && !this.lock.released)) return;
    navigator.wakeLock.request('screen').then(
      (lock) => {
        this.lock = lock;
        if (!this.wanted) this.keepAwake(false);
      },
      () => {}, // a battery that is low, or not allowed
    );
  }
}

/** To the whole screen, and back; phones have none to spare. */
export function toggleFullScreen(): void {
  const turned = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen({ navigationUI: 'hide' });
  turned.catch(() => {}); // some browsers let nothing but films do that
}

export function mayFillScreen(): boolean {
  return document.fullscreenEnabled === true;
}
