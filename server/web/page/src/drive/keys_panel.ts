// The panel that shows and changes the key map.
import { button, el, setText } from '../ui/dom';
import { ACTION_TEXT, ACTIONS, keyText, mayBeMapped, type Action, type KeyMap } from './keymap';

/** A table of what keys do; pressing a row's button and then a key gives it that key. */
export class KeysPanel {
  readonly element = el('div', { class: 'drive-keys' });
  private readonly buttons = new Map<Action, HTMLButtonElement>();
  private readonly note = el('p', { class: 'drive-note', role: 'status' });
  private waiting: Action | null = null;

  constructor(private readonly map: KeyMap) {
    for (const action of ACTIONS) {
      const chooser = button('', () => this.ask(action));
      chooser.addEventListener('keydown', (event) => this.hear(event));
      chooser.addEventListener('blur', () => this.cancel());
      this.buttons.set(action, chooser);
      this.element.append(
        el('div', { class: 'drive-key' }, el('span', {}, ACTION_TEXT[action]), chooser),
      );
    }
    const back = button('Usual keys', () => {
      this.map.toDefaults();
      this.show();
    });
    this.element.append(back, this.note);
    this.show();
  }

  private ask(action: Action): void {
    this.waiting = action;
    this.show();
    setText(this.note, `Press the key for: ${ACTION_TEXT[action]}. Escape leaves it as it is.`);
  }

  private cancel(): void {
    if (this.waiting === null) return;
    this.waiting = null;
    setText(this.note, '');
    this.show();
  }

  private hear(event: KeyboardEvent): void {
    const action = this.waiting;
    if (action === null || event.code === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.code === 'Escape') {
      this.cancel();
    } else if (!mayBeMapped(event.code)) {
      setText(this.note, 'Browsers keep that key for themselves. Press another one.');
    } else {
      this.map.map(action, event.code);
      this.cancel();
    }
  }

  private show(): void {
    for (const [action, chooser] of this.buttons) {
      const keys = this.map.codesOf(action).map(keyText).join('  ');
      const text = this.waiting === action ? 'Press a key' : keys || 'none';
      setText(chooser, text);
      chooser.setAttribute('aria-label', `${ACTION_TEXT[action]}: ${text}`);
      chooser.classList.toggle('is-waiting', this.waiting === action);
    }
  }
}
