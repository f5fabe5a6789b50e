// The panel that shows and changes the pad map.
import { button, el, setText } from '../ui/dom';
import { ACTION_TEXT } from './keymap';
import { PAD_ACTIONS, padButtonText, type PadAction, type PadMap } from './pad_map';
import type { Pads } from './pads';
import { Presses } from './presses';

/** A table of what a pad's buttons do; a row is chosen, and then a button of the pad is pressed. */
export class PadPanel {
  readonly element = el('div', { class: 'drive-keys' });
  private readonly buttons = new Map<PadAction, HTMLButtonElement>();
  private readonly note = el('p', { class: 'drive-note', role: 'status' });
  private waiting: PadAction | null = null;
  private presses = new Presses();
  private frame = 0;

  constructor(
    private readonly pads: Pads,
    private readonly map: PadMap,
  ) {
    for (const action of PAD_ACTIONS) {
      const chooser = button('', () => this.ask(action));
      chooser.addEventListener('keydown', (event) => this.escape(event));
      chooser.addEventListener('blur', () => this.end(''));
      this.buttons.set(action, chooser);
      this.element.append(
        el('div', { class: 'drive-key' }, el('span', {}, ACTION_TEXT[action]), chooser),
      );
    }
    const back = button('Usual buttons', () => {
      this.map.toDefaults();
      this.show();
    });
    this.element.append(back, this.note);
    this.show();
  }

  private ask(action: PadAction): void {
    if (this.pads.standard() === null) {
      const text = 'No gamepad is plugged in, or the browser has not seen it: press a button.';
      setText(this.note, text);
      return;
    }
    this.waiting = action;
    this.presses = new Presses();
    this.pressed(); // a button that is held already is no answer
    setText(this.note, `Press the button for: ${ACTION_TEXT[action]}. Escape leaves it as it is.`);
    this.show();
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.listen());
  }

  private listen(): void {
    if (this.waiting === null) return;
    const index = this.pressed();
    if (index >= 0 && this.map.map(this.waiting, index)) return this.end('');
    if (index >= 0) setText(this.note, 'That one steers. Press another.');
    this.frame = requestAnimationFrame(() => this.listen());
  }

  /** A button that has just gone down; -1: none. */
  private pressed(): number {
    const down = this.pads.standard()?.buttons ?? [];
    let fresh = -1;
    down.forEach(({ pressed, value }, index) => {
      if (this.presses.look(index, pressed || value > 0.5)) fresh = index;
    });
    return fresh;
  }

  private escape(event: KeyboardEvent): void {
    if (this.waiting === null || event.code !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    this.end('');
  }

  private end(word: string): void {
    if (this.waiting === null) return;
    this.waiting = null;
    setText(this.note, word);
    this.show();
  }

  private show(): void {
    for (const [action, chooser] of this.buttons) {
      const isWaiting = this.waiting === action;
      const text = isWaiting ? 'Press a button' : padButtonText(this.map.buttonOf(action));
      setText(chooser, text);
      chooser.setAttribute('aria-label', `${ACTION_TEXT[action]}: ${text}`);
      chooser.classList.toggle('is-waiting', isWaiting);
    }
  }
}
