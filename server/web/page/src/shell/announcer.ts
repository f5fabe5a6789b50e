// The announcer says lines to readers of screens, one after the other.
import { el } from '../ui/dom';

const PAUSE_MS = 1200;

/** Says things to readers of screens, one after the other, politely. */
export class Announcer {
  readonly element = el('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
  private queue: string[] = [];
  private saidMs = -Infinity;

  say(text: string): void {
    this.queue.push(text);
    if (this.queue.length > 6) this.queue.splice(0, this.queue.length - 6); // old news is none
  }

  tick(nowMs: number): void {
    if (this.queue.length === 0 || nowMs - this.saidMs < PAUSE_MS) return;
    this.saidMs = nowMs;
    this.element.textContent = this.queue.splice(0).join('. ');
  }
}
