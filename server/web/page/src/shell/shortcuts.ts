// Shortcuts: one listener for all keys of a page, and their list for the help.
import { isTyping } from '../ui/dom';
import type { Listed } from './help';

export interface Shortcut {
  key: string; // as KeyboardEvent.key says, letters small
  shown?: string;
  words: string;
  act: () => void;
  /** Left to the driver while one drives. */
  notDriving?: boolean;
}

export class Shortcuts {
  private readonly heard: (event: KeyboardEvent) => void;

  constructor(
    private readonly shortcuts: readonly Shortcut[],
    private readonly others: readonly Listed[],
    private readonly isDriving: () => boolean,
  ) {
    this.heard = (event) => this.key(event);
    document.addEventListener('keydown', this.heard);
  }

  end(): void {
    document.removeEventListener('keydown', this.heard);
  }

  /** These and those of others, for a list. */
  listed(): Listed[] {
    return [...this.shortcuts.map(listed), ...this.others];
  }

  private key(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.repeat || isTyping(event.target) || document.querySelector('dialog[open]')) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const found = this.shortcuts.find((each) => each.key === key);
    if (found === undefined || (found.notDriving === true && this.isDriving())) return;
    event.preventDefault();
    found.act();
  }
}

function listed(shortcut: Shortcut): Listed {
  return { shown: shortcut.shown ?? shortcut.key.toUpperCase(), words: shortcut.words };
}
