// Modal questions with a few answers.
import { button, el } from './dom';

export interface Choice {
  text: string;
  act?: () => void;
  kind?: 'primary' | 'danger';
}

/** A modal question. Escape is the last choice, as is a click beside it. */
export function ask(
  role: 'dialog' | 'alertdialog',
  title: string,
  body: (Node | string)[],
  choices: Choice[],
): HTMLDialogElement {
  const dialog = el('dialog', { class: 'dialog', role, 'aria-labelledby': 'dialog-title' });
  const text = el('div', { class: 'dialog-body', id: 'dialog-body' }, ...body);
  if (role === 'alertdialog') dialog.setAttribute('aria-describedby', 'dialog-body');
  const buttons = choices.map((choice) =>
    button(
      choice.text,
      () => {
        dialog.close();
        choice.act?.();
      },
      { class: `button ${choice.kind ?? ''}` },
    ),
  );
  dialog.append(
    el('h2', { id: 'dialog-title' }, title),
    text,
    el('div', { class: 'dialog-buttons' }, ...buttons),
  );
  dialog.addEventListener('cancel', () => choices[choices.length - 1]?.act?.());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  (buttons.find((each) => each.classList.contains('primary')) ?? buttons[0])?.focus();
  dialog.scrollTop = 0; // its buttons may lie below what is seen
  return dialog;
}

export function confirmed(title: string, text: string, yes: string, act: () => void): void {
  ask(
    'alertdialog',
    title,
    [el('p', {}, text)],
    [
      { text: yes, act, kind: 'danger' },
      { text: 'Cancel', kind: 'primary' },
    ],
  );
}
