// The door keeps what opens a race, for the tab, until it turns out to be of no use.
import type { Invitation } from '../identity/invitation';
import { spendsToken } from '../identity/refusals';
import { isSpent } from '../identity/token';
import type { Reason, SessionWish, Welcome } from '../race/race';
import { store, stored, type TextStore } from '../ui/storage';

/** The reason why a password is asked for: none was given, or the one that was is wrong. */
export type Asked = 'missing' | 'wrong';

const BYTES_MAX = 31; // as the wire has it

/**
 * A race's password, kept by the tab once it has been said, until the server says it is wrong; and
 * the token of an invitation, until it has expired or the server says that it opens nothing here.
 */
export class Door {
  private readonly key: string;
  private readonly tokenKey: string;
  private known: string;
  private token: string;
  private isTyped = false; // here, and not in a page that was loaded before

  constructor(
    path: string, // of the race
    private readonly tab: TextStore | null,
    private readonly todayMs: () => number = Date.now,
  ) {
    this.key = `apex.password:${path}`;
    this.tokenKey = `apex.token:${path}`;
    this.known = stored(this.key, tab) ?? '';
    this.token = stored(this.tokenKey, tab) ?? '';
  }

  get password(): string {
    return this.known;
  }

  /** The wish with what is known. */
  with(wish: SessionWish): SessionWish {
    if (this.token !== '' && isSpent(this.token, this.todayMs())) this.keepToken('');
    const known = { ...wish, password: this.known };
    return this.token === '' ? known : { ...known, token: this.token };
  }

  /** A link was opened that has them. */
  invited({ password, token }: Invitation): void {
    if (password !== null) this.given(password);
    if (token !== null) this.keepToken(token);
  }

  /** The server has said why nobody comes in: a token that it will never take is forgotten. */
  heard(reason: Reason): void {
    if (spendsToken(reason)) this.keepToken('');
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

  private keepToken(text: string): void {
    this.token = text;
    store(this.tokenKey, text === '' ? null : text, this.tab);
  }

  private keep(text: string): void {
    this.known = text;
    store(this.key, text === '' ? null : text, this.tab);
  }
}
