// The keys of the map: what each does, and their list for the help.

/** Keys of the map while it has the focus, beside those of the whole page; for a list. */
export const MAP_KEYS: readonly { shown: string; words: string }[] = [
  { shown: 'Arrow keys', words: 'on the map: move it; with Shift further' },
  { shown: '+ −', words: 'on the map: zoom in and out' },
  { shown: 'Page ↑ ↓', words: 'on the map: choose the car ahead or behind' },
  { shown: 'Escape', words: 'on the map: choose no car' },
];

export interface KeyTarget {
  /** In steps; false: these keys are for something else just now. */
  pan(right: number, down: number): boolean;
  zoomBy(factor: number): void;
  fit(): void;
  toggleFollow(): void;
  toggleHeadingUp(): void;
  chooseBeside(step: number): void;
  chooseNone(): void;
}

const ZOOM = 1.4;

const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const acts: Record<string, (target: KeyTarget) => void> = {
  '+': (target) => target.zoomBy(ZOOM),
  '=': (target) => target.zoomBy(ZOOM),
  '-': (target) => target.zoomBy(1 / ZOOM),
  _: (target) => target.zoomBy(1 / ZOOM),
  '0': (target) => target.fit(),
  Home: (target) => target.fit(),
  f: (target) => target.toggleFollow(),
  h: (target) => target.toggleHeadingUp(),
  PageUp: (target) => target.chooseBeside(-1),
  PageDown: (target) => target.chooseBeside(1),
  Escape: (target) => target.chooseNone(),
};

/** Does what a key asks of the map. @return whether it was one of the map's. */
export function actOnKey(key: string, shift: boolean, target: KeyTarget): boolean {
  const arrow = arrows[key];
  if (arrow) {
    const times = shift ? 3 : 1;
    return target.pan(arrow[0] * times, arrow[1] * times);
  }
  const act = acts[key.length === 1 ? key.toLowerCase() : key];
  act?.(target);
  return act !== undefined;
}

export function listenToKeys(element: HTMLElement, target: KeyTarget): void {
  element.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (!actOnKey(event.key, event.shiftKey, target)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}
