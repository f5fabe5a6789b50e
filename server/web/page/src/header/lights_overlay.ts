// The gantry of start lights is drawn over the map.
import './lights.css';
import type { RaceEvent, Session } from '../race/race';
import type { RaceClock } from '../ui/clock';
import { el, setClass, setText } from '../ui/dom';
import type { View } from '../ui/view';
import { LIGHTS, LightSequence } from './light_sequence';

/** The gantry over the map while a start is counted down. */
export class LightsOverlay implements View {
  readonly element: HTMLElement;
  private readonly gantry: HTMLElement;
  private readonly lamps: HTMLElement[] = [];
  private readonly words = el('p', { class: 'lights-words' });
  private readonly sequence = new LightSequence();

  constructor(private readonly clock: RaceClock) {
    const row = el('div', { class: 'lights-row', 'aria-hidden': 'true' });
    for (let i = 0; i < LIGHTS; i++) {
      const lamp = el('span', { class: 'lights-lamp' });
      this.lamps.push(lamp);
      row.append(lamp);
    }
    this.gantry = el('div', { class: 'lights' }, row, this.words);
    this.gantry.hidden = true;
    this.element = el('div', { class: 'lights-place' }, this.gantry);
  }

  events(events: readonly RaceEvent[], _session: Session, nowMs: number): void {
    for (const event of events) this.sequence.event(event, nowMs);
  }

  frame(session: Session, nowMs: number): void {
    const phase = session.raceState()?.phase;
    if (phase !== undefined) this.sequence.hear(phase, this.clock.at(nowMs));
    const lights = this.sequence.at(nowMs);
    if (this.gantry.hidden === lights.shown) this.gantry.hidden = !lights.shown;
    if (!lights.shown) return;
    this.lamps.forEach((lamp, i) => setClass(lamp, 'is-lit', i < lights.lit));
    setClass(this.gantry, 'is-go', lights.go);
    setText(this.words, lights.go ? 'GO' : String(lights.secondsLeft));
  }

  reset(): void {
    this.sequence.forget();
    this.gantry.hidden = true;
  }
}
