// Gestures on the map are made of what pointers and wheels do there.

/** The gestures that a map takes; places in pixels of the layout, from the canvas's corner. */
export interface GestureTarget {
  pan(rightPx: number, downPx: number): void;
  zoom(factor: number, rightPx: number, downPx: number): void;
  tap(rightPx: number, downPx: number, touch: boolean): void;
  doubleTap(rightPx: number, downPx: number, touch: boolean): void;
  hover(rightPx: number, downPx: number): void;
  leave(): void; // of a mouse
}

const TAP_MS = 450;
const TAP_PX = 6;
const DOUBLE_MS = 320;
const DOUBLE_PX = 28;
const WHEEL_PX = 340; // of scrolling to zoom by e
const PINCH_WHEEL_PX = 90; // as trackpads tell of a pinch

interface Finger {
  right: number;
  down: number;
}

/** Drags, pinches, taps and the wheel. */
export class Gestures {
  private readonly fingers = new Map<number, Finger>();
  private downMs = 0;
  private wayPx = 0;
  private several = false;
  private tapMs = -Infinity;
  private tapRight = 0;
  private tapDown = 0;

  constructor(
    private readonly canvas: HTMLElement,
    private readonly target: GestureTarget,
  ) {
    canvas.addEventListener('pointerdown', (event) => this.press(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.release(event));
    canvas.addEventListener('pointercancel', (event) => this.fingers.delete(event.pointerId));
    canvas.addEventListener('pointerleave', (event) => {
      if (event.pointerType === 'mouse') this.target.leave();
    });
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
  }

  private place(event: MouseEvent): Finger {
    const box = this.canvas.getBoundingClientRect();
    return { right: event.clientX - box.left, down: event.clientY - box.top };
  }

  private press(event: PointerEvent): void {
    if (event.pointerType === 'mouse' && event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    if (this.fingers.size === 0) {
      this.downMs = event.timeStamp;
      this.wayPx = 0;
      this.several = false;
    } else {
      this.several = true;
    }
    this.fingers.set(event.pointerId, this.place(event));
  }

  private move(event: PointerEvent): void {
    const finger = this.fingers.get(event.pointerId);
    const now = this.place(event);
    if (finger === undefined) {
      if (event.pointerType === 'mouse') this.target.hover(now.right, now.down);
      return;
    }
    const right = now.right - finger.right;
    const down = now.down - finger.down;
    this.wayPx += Math.hypot(right, down);
    if (this.fingers.size === 1) {
      // A tap that trembles is no drag.
      if (this.wayPx > TAP_PX) this.target.pan(right, down);
    } else if (this.fingers.size === 2) {
      this.pinch(event.pointerId, finger, now);
    }
    finger.right = now.right;
    finger.down = now.down;
  }

  private pinch(pointer: number, before: Finger, now: Finger): void {
    let other: Finger | undefined;
    for (const [id, finger] of this.fingers) if (id !== pointer) other = finger;
    if (other === undefined) return;
    const apart = Math.hypot(before.right - other.right, before.down - other.down);
    const after = Math.hypot(now.right - other.right, now.down - other.down);
    this.target.pan((now.right - before.right) / 2, (now.down - before.down) / 2);
    const middle = [(now.right + other.right) / 2, (now.down + other.down) / 2] as const;
    if (apart > 10 && after > 10) this.target.zoom(after / apart, middle[0], middle[1]);
  }

  private release(event: PointerEvent): void {
    if (!this.fingers.delete(event.pointerId) || this.fingers.size > 0 || this.several) return;
    if (this.wayPx > TAP_PX || event.timeStamp - this.downMs > TAP_MS) return;
    const { right, down } = this.place(event);
    const touch = event.pointerType !== 'mouse';
    const near = Math.hypot(right - this.tapRight, down - this.tapDown) < DOUBLE_PX;
    if (near && event.timeStamp - this.tapMs < DOUBLE_MS) {
      this.tapMs = -Infinity;
      this.target.doubleTap(right, down, touch);
      return;
    }
    this.tapMs = event.timeStamp;
    this.tapRight = right;
    this.tapDown = down;
    this.target.tap(right, down, touch);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 400 : 1;
    const way = Math.max(-400, Math.min(400, event.deltaY * unit));
    const { right, down } = this.place(event);
    this.target.zoom(Math.exp(-way / (event.ctrlKey ? PINCH_WHEEL_PX : WHEEL_PX)), right, down);
  }
}
