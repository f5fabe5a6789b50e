// The panel of the join dialog that says who one is: the driver's key, in and out of files.
import './identity.css';
import type { Welcome } from '../race/race';
import { confirmed } from '../ui/dialog';
import { button, el, setClass, setText } from '../ui/dom';
import { saveFile } from '../ui/save_file';
import { shortFingerprint } from '../ui/who';
import type { DriverKey } from './driver_key';
import { hexOf } from './hex';
import { KEY_FILE_BYTES_MAX, keyFile, keyFileName, readKeyFile } from './key_file';
import type { KeyStore } from './key_store';

const ABOUT =
  'Servers know you by this key, and may keep your name for you. It stays in this browser: ' +
  'export it to be the same driver on another machine.';
const NONE_YET = 'The key is made when you first drive.';
const LOOSE =
  'This browser keeps nothing: export the key, or it is gone when you close the page.';
const SAVED = 'Keep the file to yourself: whoever has it can drive as you.';

export interface GuestWish {
  get(): boolean;
  set(isGuest: boolean): void;
}

/** Shows the fingerprint; exports and imports the key; lets one drive as a guest. */
export class IdentityPanel {
  readonly element: HTMLDetailsElement;
  private readonly summary = el('summary', {});
  private readonly fingerprint = el('code', { class: 'identity-digits' });
  private readonly key = el('code', { class: 'identity-digits' });
  private readonly digits: HTMLElement;
  private readonly state = el('p', { class: 'drive-note', role: 'status' });
  private readonly exports: HTMLButtonElement;
  private readonly guest = el('input', { type: 'checkbox' });
  private readonly guestRow: HTMLElement;

  constructor(
    private readonly keys: KeyStore,
    private readonly wish: GuestWish,
  ) {
    this.exports = button('Export key', () => this.exportKey());
    this.digits = el(
      'dl',
      { class: 'identity-list' },
      ...[el('dt', {}, 'Fingerprint'), el('dd', {}, this.fingerprint)],
      ...[el('dt', {}, 'Public key, for lobbies that ask for it'), el('dd', {}, this.key)],
    );
    const file = el('input', { type: 'file', accept: '.key,.txt,text/plain', hidden: '' });
    file.addEventListener('change', () => void this.importFrom(file));
    const imports = button('Import key', () => file.click());
    this.guestRow = el('label', { class: 'drive-check' }, this.guest, 'Drive as a guest');
    this.guest.addEventListener('change', () => {
      this.wish.set(this.guest.checked);
      this.show(null);
    });
    this.element = el(
      'details',
      { class: 'identity' },
      this.summary,
      el('p', { class: 'drive-note' }, ABOUT),
      this.digits,
      el('div', { class: 'identity-buttons' }, this.exports, imports, file),
      this.guestRow,
      this.state,
    );
  }

  /** Where the server takes no guests one is none, whatever one wished elsewhere. */
  get isGuest(): boolean {
    return this.guest.checked && !this.guestRow.hidden;
  }

  /** @param welcome of the server that is asked; null: not known, or still the same */
  show(welcome: Welcome | null): void {
    const key = this.keys.key();
    if (welcome !== null) this.guestRow.hidden = !welcome.takesKeys || welcome.keyNeeded;
    this.guest.checked = this.wish.get();
    const who = key === null ? 'new' : shortFingerprint(key.fingerprint);
    setText(this.summary, this.isGuest ? 'You drive as a guest' : `Your driver key: ${who}`);
    this.digits.hidden = key === null;
    setText(this.fingerprint, key === null ? '' : key.fingerprint);
    setText(this.key, key === null ? '' : hexOf(key.key));
    this.exports.disabled = key === null;
    this.say(key === null ? NONE_YET : this.keys.isKept ? '' : LOOSE, false);
  }

  /** Shows all of it, also a key that was made only now. */
  unfold(): void {
    this.show(null);
    this.element.open = true;
  }

  private exportKey(): void {
    const key = this.keys.key();
    if (key === null) return;
    saveFile(keyFileName(key), 'text/plain', keyFile(key));
    this.say(SAVED, false);
  }

  private async importFrom(input: HTMLInputElement): Promise<void> {
    const file = input.files?.[0];
    if (file === undefined) return;
    const text = file.size <= KEY_FILE_BYTES_MAX ? await file.text().catch(() => null) : '';
    input.value = ''; // the same file may be chosen again
    const read = text === null ? 'The file could not be read.' : readKeyFile(text);
    if (typeof read === 'string') this.say(read, true);
    else this.offer(read);
  }

  /** A key that is there is somebody: it is not thrown away without a word. */
  private offer(key: DriverKey): void {
    const before = this.keys.key();
    if (before !== null && before.fingerprint !== key.fingerprint) {
      const text =
        `This browser has the key ${shortFingerprint(before.fingerprint)}, which is lost unless ` +
        `you have exported it. The file has ${shortFingerprint(key.fingerprint)}.`;
      confirmed('Replace your driver key?', text, 'Replace it', () => this.take(key));
    } else {
      this.take(key);
    }
  }

  private take(key: DriverKey): void {
    this.keys.take(key);
    this.wish.set(false);
    this.show(null);
    this.say(`You are ${shortFingerprint(key.fingerprint)} from now on.`, false);
  }

  private say(text: string, isBad: boolean): void {
    setText(this.state, text);
    setClass(this.state, 'identity-bad', isBad);
  }
}
