// The map's frame rate is written as text every thirty frames.
import type { FrameTimes } from './frames';

const EVERY_FRAMES = 30;

/** A line that says how fast the map draws. */
export class FpsText {
  readonly element = document.createElement('output');
  private waited = 0;

  constructor(shown: boolean) {
    this.element.className = 'map-fps';
    this.element.hidden = !shown;
    this.element.setAttribute('aria-live', 'off');
  }

  show(times: FrameTimes): void {
    if (this.element.hidden || ++this.waited < EVERY_FRAMES) return;
    this.waited = 0;
    const { fps, p95Ms, workP50Ms, cars } = times.stats();
    this.element.textContent =
      `${fps.toFixed(0)} fps · p95 ${p95Ms.toFixed(1)} ms · ` +
      `work ${workP50Ms.toFixed(1)} ms · ${cars} cars`;
  }
}
