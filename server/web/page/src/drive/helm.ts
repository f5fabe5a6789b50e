// The helm turns the device in use into the controls that are sent.
import { Gear, type Controls } from '../race/race';
import type { Device, DeviceInput, Wish } from './device';
import { AT_REST } from './device';
import { counted, Gearbox } from './gearbox';
import { BRAKE_FEEL, Pedal, THROTTLE_FEEL } from './pedals';
import type { DriveSettings } from './settings';
import { KEYS_FEEL, Steering, STICK_FEEL, type Motion, type SteeredCar } from './steering';

/** The state of the car at the moment at which controls act. */
export interface Situation {
  motion: Motion;
  car: SteeredCar;
  held: boolean; // on the grid: nothing moves it
}

/** Between devices and the wire: what a driver asks for, as a car takes it. */
export class Helm {
  readonly gearbox = new Gearbox();
  private readonly steering = new Steering();
  private readonly throttle = new Pedal(THROTTLE_FEEL);
  private readonly brake = new Pedal(BRAKE_FEEL);
  private resets = 0;
  readonly controls: Controls = {
    steer: 0,
    throttle: 0,
    brake: 0,
    clutch: 0,
    handbrake: 0,
    gear: Gear.automatic,
    shiftUp: 0,
    shiftDown: 0,
    reset: 0,
    aidsOff: 0,
  };

  wish(wish: Wish): void {
    if (wish === 'reset') this.resets = counted(this.resets);
    else if (wish === 'gearbox') this.gearbox.toggle();
    else this.gearbox.shift(wish === 'shiftUp');
  }

  /** Another car: feet off, wheel straight. Counters go on, as only their changes matter. */
  reset(): void {
    this.gearbox.reset();
    this.letGo();
  }

  /** Nobody is at the wheel. */
  letGo(): void {
    this.steering.reset();
    this.throttle.reset();
    this.brake.reset();
    const { controls } = this;
    controls.steer = 0;
    controls.throttle = 0;
    controls.brake = 0;
    controls.clutch = 0;
    controls.handbrake = 0;
  }

  step(device: Device | null, now: Situation, settings: DriveSettings, dtS: number): void {
    const input = device === null ? AT_REST : device.read();
    const { controls } = this;
    controls.steer = this.steer(device, input, now, settings, dtS);
    const isKey = device === null || device.kind === 'keys';
    const throttle = isKey ? this.throttle.step(input.throttle, dtS) : input.throttle;
    const brake = isKey ? this.brake.step(input.brake, dtS) : input.brake;
    const { forwardMps } = now.motion;
    const answer = this.gearbox.step(throttle, brake, forwardMps, now.held, dtS);
    controls.throttle = answer.throttle;
    controls.brake = answer.brake;
    controls.gear = answer.gear;
    controls.clutch = input.clutch;
    controls.handbrake = input.handbrake;
    controls.shiftUp = this.gearbox.shiftUp;
    controls.shiftDown = this.gearbox.shiftDown;
    controls.reset = this.resets;
    controls.aidsOff = settings.aidsOff;
  }

  /** A wheel is a wheel; all else is made into one. */
  private steer(
    device: Device | null,
    input: Readonly<DeviceInput>,
    now: Situation,
    settings: DriveSettings,
    dtS: number,
  ): number {
    if (device !== null && device.kind === 'wheel') {
      return Math.min(1, Math.max(-1, input.steer * settings.wheelGain));
    }
    const feel = device === null || device.kind === 'keys' ? KEYS_FEEL : STICK_FEEL;
    const how = { feel, help: settings.help ? 1 : 0 };
    return this.steering.step(input.steer, now.motion, now.car, how, dtS);
  }
}
