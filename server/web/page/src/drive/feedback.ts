// Sound and vibration of the own car follow its engine, tyres and contacts.
import type { RaceEvent, Session } from '../race/race';
import type { OwnCar } from './own_car';
import { Rumble, steadyShake } from './rumble';
import type { Sound } from './sound';

/** The sound and the vibration of a car. */
export class Feedback {
  private readonly rumble = new Rumble();

  constructor(private readonly sound: Sound) {}

  /** `pad`: the one that is in hand, if it is one. */
  frame(session: Session, car: OwnCar, throttle: number, pad: Gamepad | null, nowMs: number): void {
    const wheels = session.telemetry()?.wheels ?? [];
    const sliding = wheels.filter((wheel) => wheel.sliding).length;
    const slide = sliding / Math.max(wheels.length, 1);
    const { speedMps } = car;
    this.sound.hear({ rpm: car.get('rpm'), throttle, speedMps, slide });
    this.rumble.steady(pad, steadyShake(slide, car.has('offRoad'), speedMps), nowMs);
    for (const { impulseNs } of session.touches(nowMs)) this.rumble.blow(pad, impulseNs, nowMs);
  }

  /** What the server says of the own car: of a wall, or of what was not foretold. */
  hear({ kind, value, isFelt }: RaceEvent, pad: Gamepad | null, nowMs: number): void {
    if (kind === 'contact' && !isFelt) this.rumble.blow(pad, value, nowMs);
  }
}
