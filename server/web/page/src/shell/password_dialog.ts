// The dialog that asks for a race's password.
import { button, el, setText } from '../ui/dom';
import type { Asked } from './door';

export interface PasswordHooks {
  /** @returns false if it cannot be right. */
  onGiven(text: string): boolean;
  /** Closed without an answer. */
  onCancel(): void;
}

const WRONG = 'That is not the password.';

let ids = 0;

/** The one place where a race's password is asked for, to watch and to drive. */
export class PasswordDialog {
  readonly element: HTMLDialogElement;
  private readonly title = el('h2', { id: 'password-title' });
  private readonly field = el('input', { type: 'password', autocomplete: 'off', required: '' });
  private readonly error = el('p', { class: 'password-error', role: 'alert' });
  private readonly go = el('button', { type: 'submit', class: 'button primary' });
  private goWord = '';
  private isClosing = false; // by itself, and not by the person that it asks

  constructor(private readonly hooks: PasswordHooks) {
    this.field.id = `password-field-${++ids}`;
    const cancel = button('Cancel', () => this.element.close(), { class: 'button' });
    const form = el(
      'form',
      { method: 'dialog' },
      this.title,
      el('label', { for: this.field.id }, 'Password'),
      this.field,
      this.error,
      el('p', { class: 'password-note' }, 'Whoever hosts the race can tell you.'),
      el('div', { class: 'dialog-buttons' }, cancel, this.go),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
    const named = { class: 'dialog password', 'aria-labelledby': this.title.id };
    this.element = el('dialog', named, form);
    this.element.addEventListener('close', () => {
      if (!this.isClosing) this.hooks.onCancel();
      this.isClosing = false;
    });
  }

  open(asked: Asked, driving: boolean): void {
    const title = driving ? 'Driving here asks for a password' : 'This race asks for a password';
    setText(this.title, title);
    this.goWord = driving ? 'Drive' : 'Watch';
    if (!this.element.open) {
      this.field.value = '';
      this.element.showModal();
    }
    this.fail(asked === 'wrong' ? WRONG : '');
  }

  /** It may be tried again. '': nothing is wrong. */
  fail(text: string): void {
    this.busy(false);
    setText(this.error, text);
    this.field.setAttribute('aria-invalid', String(text === WRONG));
    this.field.focus();
    this.field.select();
  }

  get isOpen(): boolean {
    return this.element.open;
  }

  /** It was right, or is not asked for any more. */
  close(): void {
    if (!this.element.open) return;
    this.isClosing = true;
    this.element.close();
    this.field.value = '';
  }

  private submit(): void {
    if (this.go.disabled) return;
    this.busy(true);
    if (!this.hooks.onGiven(this.field.value)) this.fail(WRONG);
  }

  private busy(on: boolean): void {
    this.go.disabled = on;
    setText(this.go, on ? 'Asking the server' : this.goWord);
    if (on) setText(this.error, '');
  }
}
