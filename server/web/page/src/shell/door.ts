// The door keeps a race's password for the tab until it turns out to be wrong.
import type { SessionWish, Welcome } from '../race/race';
import { store, stored, type TextStore } from '../ui/storage';

/** The reason why a password is asked for: none was given, or the one that was is wrong. */
export type Asked = 'missing' | 'wrong';

const BYTES_MAX = 31; // as the wire has it

/** A race's password: kept by the tab once it has been said, until the server says it is wrong. */
export class Door {
  private readonly key: string;
  private known: string;
  private isTyped = false; // here, and not in a page that was loaded before

  constructor(
    path: string, // of the race
    private readonly tab: TextStore | null,
  ) {
    this.key = `apex.password:${path}`;
    this.known = stored(this.key, tab) ?? '';
  }

  get password(): string {
    return this.known;
  }

  /** The wish with what is known. */
  with(wish: SessionWish): SessionWish {
    return { ...wish, password: this.known };
  }

  /** Another window of the same person was let in with it. */
  inherit(text: string): void {
    if (this.known === '' && text !== '') this.keep(text);
  }

  /** @return whether the server has said that it will ask for a password that nobody here knows. */
  lacks(welcome: Welcome | null, spectate: boolean): boolean {
    if (welcome === null || !welcome.passwordNeeded || this.known !== '') return false;
    return !(spectate && welcome.watchingOpen);
  }

  /** Somebody says it. @returns false for what can be nobody's password: it is too long */
  given(text: string): boolean {
    if (text === '' || new TextEncoder().encode(text).length > BYTES_MAX) return false;
    this.isTyped = true;
    this.keep(text);
    return true;
  }

  /** The server asks for it, or says that it is another. */
  refused(): Asked {
    const asked = this.known !== '' && this.isTyped ? 'wrong' : 'missing';
    this.isTyped = false;
    this.keep('');
    return asked;
  }

  private keep(text: string): void {
    this.known = text;
    store(this.key, text === '' ? null : text, this.tab);
  }
}
