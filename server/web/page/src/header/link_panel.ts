// The connection in the header, as one figure; its panel says more.
import './link_panel.css';
import { holdsWheel, type Session } from '../race/race';
import { button, el, iconButton, setAttribute, setText } from '../ui/dom';
import { ICONS } from '../ui/icons';
import { foretoldLines, linkLines, milliseconds, type Line } from './link_words';

/** The button with the round trip, and the panel that it opens. */
export class LinkPanel {
  readonly button = button('', () => this.toggle(), { class: 'header-link' });
  readonly element: HTMLElement;
  private readonly list = el('dl');
  private readonly words: HTMLElement[] = []; // terms and words, by turns

  constructor() {
    const close = iconButton('Close the connection’s figures', ICONS.close, () => this.toggle());
    this.element = el(
      'section',
      { class: 'link-panel', 'aria-label': 'Connection', hidden: '' },
      el('h2', {}, 'Connection', close),
      this.list,
    );
  }

  toggle(): void {
    this.element.hidden = !this.element.hidden;
    setAttribute(this.button, 'aria-expanded', String(!this.element.hidden));
  }

  /** Ten times a second. */
  show(session: Session, isLive: boolean): void {
    const stats = session.stats();
    setText(this.button, isLive && stats.rttMs > 0 ? milliseconds(stats.rttMs) : '');
    const title = isLive ? 'Live; round trip to the server (N: more)' : 'Not connected';
    setAttribute(this.button, 'title', title);
    if (this.element.hidden) return;
    const isDriver = holdsWheel(session);
    const lines = linkLines(stats, isDriver);
    this.write(isDriver ? [...lines, ...foretoldLines(stats)] : lines);
  }

  private write(lines: readonly Line[]): void {
    const texts = lines.flat();
    while (this.words.length < texts.length) {
      this.words.push(el(this.words.length % 2 === 0 ? 'dt' : 'dd'));
      this.list.append(this.words.at(-1)!);
    }
    while (this.words.length > texts.length) this.words.pop()!.remove();
    texts.forEach((text, i) => setText(this.words[i]!, text));
  }
}
