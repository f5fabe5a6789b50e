// The panel that leads through a wheel's calibration.
import { button, el, setText } from '../ui/dom';
import { Calibration, STEP_TEXT, STEPS } from './calibration';
import type { Pads } from './pads';
import { keepSetup, setupOf } from './wheel';
import type { Store } from './settings_store';

/** Asks for a wheel's axes, step by step. */
export class WheelPanel {
  readonly element: HTMLElement;
  private readonly text = el('p', { class: 'drive-note', role: 'status' });
  private readonly start = button('Set up the wheel', () => this.begin());
  private readonly done = button('Done', () => this.next());
  private readonly skip = button('Skip', () => this.pass());
  private readonly stop = button('Cancel', () => this.end(''));
  private calibration: Calibration | null = null;
  private word = '';

  constructor(
    private readonly pads: Pads,
    private readonly store: Store,
  ) {
    const steps = el('div', { class: 'drive-buttons' });
    steps.append(this.start, this.done, this.skip, this.stop);
    this.element = el('div', { class: 'drive-wheel' }, this.text, steps);
    this.show();
  }

  private begin(): void {
    const pad = this.pads.wheel();
    if (pad === null) return;
    this.calibration = new Calibration();
    this.word = '';
    this.show();
  }

  private next(): void {
    const pad = this.pads.wheel();
    if (pad === null) return this.end('The wheel is gone. Plug it in and begin again.');
    this.calibration?.look(pad);
    this.calibration?.next();
    this.finishIfDone(pad.id);
  }

  private pass(): void {
    const pad = this.pads.wheel();
    this.calibration?.skip();
    if (pad !== null) this.finishIfDone(pad.id);
  }

  private finishIfDone(id: string): void {
    const setup = this.calibration?.setup() ?? null;
    if (setup === null) return this.show();
    keepSetup(this.store, id, setup);
    this.pads.forgetSetup();
    this.end('The wheel is set up.');
  }

  private end(word: string): void {
    this.calibration = null;
    this.word = word;
    this.show();
  }

  /** Also each time the dialog opens, and when something is plugged in. */
  show(): void {
    const pad = this.pads.wheel();
    const step = this.calibration?.step ?? null;
    this.start.hidden = this.calibration !== null || pad === null;
    this.done.hidden = this.calibration === null;
    this.stop.hidden = this.calibration === null;
    this.skip.hidden = this.calibration === null || !this.calibration.maySkip;
    if (this.calibration !== null && step !== null) {
      const at = STEPS.indexOf(step) + 1;
      const complaint = this.calibration.complaint;
      const ask = `${at} of ${STEPS.length}: ${STEP_TEXT[step]}`;
      setText(this.text, complaint === '' ? ask : `${complaint} ${ask}`);
    } else if (this.word !== '') {
      setText(this.text, this.word);
    } else if (pad === null) {
      setText(this.text, 'No wheel is plugged in, or the browser has not seen it: press a button.');
    } else {
      const known = setupOf(this.store, pad.id) !== null;
      setText(this.text, `${pad.id}: ${known ? 'set up.' : 'not set up yet.'}`);
    }
  }
}
