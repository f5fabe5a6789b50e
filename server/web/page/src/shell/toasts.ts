// Toasts are messages of operators over the map.
import { el } from '../ui/dom';

const SHOWN_MS = 9000;
const MOST = 3;

/** The notices of operators, over the map: a driver has no eyes for a list. */
export class Toasts {
  readonly element = el('div', { class: 'toasts' });
  private readonly until: number[] = []; // of each child

  add(text: string, nowMs: number): void {
    this.element.append(el('p', { class: 'toast' }, text));
    this.until.push(nowMs + SHOWN_MS);
    while (this.until.length > MOST) this.drop();
  }

  tick(nowMs: number): void {
    while (this.until.length > 0 && nowMs >= this.until[0]!) this.drop();
  }

  private drop(): void {
    this.until.shift();
    this.element.firstElementChild?.remove();
  }
}
