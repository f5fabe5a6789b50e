// The dialog of a driver who joins: name, car, device and feel.
import { button, el, setAttribute, setText } from '../ui/dom';
import type { Reason, Session } from '../race/race';
import { IdentityPanel, type GuestWish } from '../identity/identity_panel';
import { driverKeys } from '../identity/key_store';
import { adviceOn, refusalText } from '../identity/refusals';
import type { KeyMap } from './keymap';
import { KeysPanel } from './keys_panel';
import type { PadMap } from './pad_map';
import { PadPanel } from './pad_panel';
import type { Pads } from './pads';
import { AIDS, cleanName, keepSettings, NAME_BYTES_MAX, type DriveSettings } from './settings';
import type { Store } from './settings_store';
import { WheelPanel } from './wheel_panel';

export interface JoinWish {
  name: string;
  car: string;
  isGuest: boolean;
}

export interface DialogParts {
  settings: DriveSettings;
  store: Store;
  keys: KeyMap;
  padMap: PadMap;
  pads: Pads;
  onJoin(wish: JoinWish): void;
  /** Closed without driving, perhaps while the server was being asked. */
  onCancel(): void;
  /** Something was set: it counts from now on. */
  onSettings(): void;
}

const DEVICES: readonly [DriveSettings['device'], string][] = [
  ['newest', 'Whatever is used'],
  ['keys', 'Keyboard'],
  ['pad', 'Gamepad'],
  ['wheel', 'Wheel'],
  ['touch', 'Touch'],
];

let ids = 0;

function field(label: string, control: HTMLElement): HTMLElement {
  control.id = `drive-field-${++ids}`;
  return el('div', { class: 'drive-field' }, el('label', { for: control.id }, label), control);
}

function more(title: string, ...content: HTMLElement[]): HTMLElement {
  return el('details', {}, el('summary', {}, title), ...content);
}

/** Name and car, and how one likes to drive. */
export class DriveDialog {
  readonly element: HTMLDialogElement;
  private readonly title = el('h2', { id: 'drive-title' });
  private readonly name = el('input', { type: 'text', autocomplete: 'nickname', required: '' });
  private readonly car = el('select');
  private readonly identity: IdentityPanel;
  private readonly who: HTMLElement;
  private readonly laying = el('p', { class: 'drive-note drive-laying', role: 'status' });
  private readonly error = el('p', { class: 'drive-error', role: 'alert' });
  private readonly go = el('button', { type: 'submit', class: 'drive-go' }, 'Drive');
  private readonly cancel = button('Cancel', () => this.close());
  private readonly keysPanel: KeysPanel;
  private readonly wheelPanel: WheelPanel;
  private readonly refreshers: (() => void)[] = []; // show what keys may have changed meanwhile
  private cars = '';
  private isJoining = true;

  constructor(private readonly parts: DialogParts) {
    this.keysPanel = new KeysPanel(parts.keys);
    this.wheelPanel = new WheelPanel(parts.pads, parts.store);
    setAttribute(this.name, 'maxlength', String(NAME_BYTES_MAX));
    this.identity = new IdentityPanel(driverKeys(), this.guestWish());
    const { element: identity } = this.identity;
    this.who = el('div', {}, field('Your name', this.name), field('Car', this.car), identity);
    const scrolls = { class: 'drive-scroll', tabindex: '-1' };
    const body = el('div', scrolls, this.who, ...this.driving());
    const ends = el('div', { class: 'drive-buttons' }, this.cancel, this.go);
    const foot = el('div', { class: 'drive-ends' }, this.laying, this.error, ends);
    const form = el('form', { method: 'dialog' }, this.title, body, foot);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
    const named = { class: 'drive-dialog', 'aria-labelledby': 'drive-title' };
    this.element = el('dialog', named, form);
    this.element.addEventListener('close', () => parts.onCancel());
  }

  private guestWish(): GuestWish {
    const { settings } = this.parts;
    const set = (isGuest: boolean): void => {
      settings.guest = isGuest;
      this.keep();
    };
    return { get: () => settings.guest, set };
  }

  private driving(): HTMLElement[] {
    const { settings } = this.parts;
    const keep = (): void => this.keep();
    const device = el('select');
    for (const [value, text] of DEVICES) device.append(el('option', { value }, text));
    device.value = settings.device;
    device.addEventListener('change', () => {
      settings.device = device.value as DriveSettings['device'];
      keep();
    });
    const help = this.check(
      'Help with steering: catches slides',
      () => settings.help,
      (on) => (settings.help = on),
    );
    const manual = this.check(
      'Change gears by hand',
      () => settings.manual,
      (on) => (settings.manual = on),
    );
    const mph = this.check(
      'Miles per hour',
      () => settings.unit === 'mph',
      (on) => (settings.unit = on ? 'mph' : 'km/h'),
    );
    return [
      field('Drive with', device),
      el('div', { class: 'drive-checks' }, help, manual, mph, this.tilt()),
      more('Keys', this.keysPanel.element),
      more('Gamepad', new PadPanel(this.parts.pads, this.parts.padMap).element),
      more('Wheel and pedals', this.wheelPanel.element, this.ratio()),
      more('Aids of the car', ...this.aids()),
    ];
  }

  private check(text: string, get: () => boolean, set: (on: boolean) => void): HTMLElement {
    const box = el('input', { type: 'checkbox' });
    box.addEventListener('change', () => {
      set(box.checked);
      this.keep();
    });
    this.refreshers.push(() => (box.checked = get()));
    return el('label', { class: 'drive-check' }, box, text);
  }

  private tilt(): HTMLElement {
    const { settings } = this.parts;
    const tilt = this.check(
      'Steer by tilting the phone',
      () => settings.tilt,
      (on) => (settings.tilt = on),
    );
    tilt.classList.add('drive-coarse');
    return tilt;
  }

  private ratio(): HTMLElement {
    const { settings } = this.parts;
    const slider = el('input', { type: 'range', min: '0.5', max: '4', step: '0.1' });
    slider.value = String(settings.wheelGain);
    slider.addEventListener('input', () => {
      settings.wheelGain = Number(slider.value);
      this.keep();
    });
    return field('Steering ratio: farther right turns more', slider);
  }

  private aids(): HTMLElement[] {
    const { settings } = this.parts;
    return AIDS.map(({ bit, text }) =>
      this.check(
        text,
        () => (settings.aidsOff & bit) === 0,
        (on) => (settings.aidsOff = on ? settings.aidsOff & ~bit : settings.aidsOff | bit),
      ),
    );
  }

  private keep(): void {
    keepSettings(this.parts.store, this.parts.settings);
    this.parts.onSettings();
  }

  /** To join, or, on the way, to set something. */
  open(session: Session | null, joining: boolean): void {
    this.isJoining = joining;
    this.who.hidden = !joining;
    setText(this.title, joining ? 'Drive in this race' : 'How you drive');
    setText(this.cancel, joining ? 'Cancel' : 'Done');
    this.go.hidden = !joining;
    this.name.value = this.parts.settings.name;
    for (const refresh of this.refreshers) refresh();
    this.identity.show(session?.welcome() ?? null);
    setText(this.laying, '');
    this.laying.hidden = !joining;
    if (session !== null) this.offer(session);
    this.fail('');
    this.wheelPanel.show();
    if (!this.element.open) this.element.showModal();
    if (joining) this.name.select();
  }

  /** Cars as the server has them; titles come with the definitions. */
  offer(session: Session): void {
    const welcome = session.welcome();
    if (welcome === null) return;
    if (this.isJoining) this.prepare(session);
    const titles = welcome.cars.map((car) => session.carShape(car)?.title ?? car);
    const cars = JSON.stringify([welcome.cars, titles]);
    if (cars === this.cars) return;
    this.cars = cars;
    const chosen = this.car.value || this.parts.settings.car;
    const options = welcome.cars.map((car, i) => el('option', { value: car }, titles[i]!));
    this.car.replaceChildren(...options);
    this.car.value = welcome.cars.includes(chosen) ? chosen : (welcome.cars[0] ?? '');
  }

  /** While a name is typed the track is laid: the car is to answer at once. */
  private prepare(session: Session): void {
    const text = session.prepareToDrive() ? '' : 'The track is being laid out for you…';
    setText(this.laying, text);
  }

  private submit(): void {
    const { settings } = this.parts;
    const name = cleanName(this.name.value);
    if (name === '') {
      this.fail('Others need something to call you: please give a name.');
      this.name.focus();
      return;
    }
    settings.name = name;
    settings.car = this.car.value;
    keepSettings(this.parts.store, settings);
    this.busy(true);
    this.parts.onJoin({ name, car: this.car.value, isGuest: this.identity.isGuest });
  }

  private busy(on: boolean): void {
    this.go.disabled = on;
    setText(this.go, on ? 'Asking the server' : 'Drive');
    if (on) setText(this.error, '');
  }

  /**
   * Shows the reason why the server would not have it; it may be asked again. '': nothing is wrong.
   */
  fail(text: string): void {
    this.busy(false);
    setText(this.error, text);
  }

  /** Null: the wheel was not asked for. */
  refused(reason: Reason | null): void {
    this.fail(reason === null ? '' : refusalText(reason));
    if (adviceOn(reason) !== null) this.identity.unfold(); // it speaks of what stands there
  }

  get isOpen(): boolean {
    return this.element.open;
  }

  get isAsking(): boolean {
    return this.isOpen && this.isJoining && this.go.disabled;
  }

  close(): void {
    if (this.element.open) this.element.close();
  }
}
