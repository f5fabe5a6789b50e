// Covers are the boxes over the map that names keep clear of.
import type { Rect } from './labels';

const AGAIN_MS = 250;

/** The parts of the map that buttons and other things cover, so that names keep clear of them. */
export class Covers {
  readonly rects: Rect[] = [];
  private measuredMs = -Infinity;

  /** @param elements whatever may lie over the canvas, if it is seen at all */
  measure(
    canvas: HTMLCanvasElement,
    elements: Iterable<Element>,
    density: number,
    nowMs: number,
  ): void {
    if (nowMs - this.measuredMs < AGAIN_MS && nowMs >= this.measuredMs) return;
    this.measuredMs = nowMs;
    this.rects.length = 0;
    const origin = canvas.getBoundingClientRect();
    for (const element of elements) {
      const { left, top, width, height } = element.getBoundingClientRect();
      if (width < 3 || height < 3) continue; // hidden
      this.rects.push({
        right: (left - origin.left) * density,
        down: (top - origin.top) * density,
        widthPx: width * density,
        heightPx: height * density,
      });
    }
  }
}
