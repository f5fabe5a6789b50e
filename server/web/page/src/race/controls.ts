// Controls are written into the library's memory, field by field.
import { CONTROLS } from './exports';
import type { Instance } from './instance';
import type { Controls } from './race';

/** In the order of exports.h. */
export function giveControls(instance: Instance, controls: Controls): void {
  const values = instance.numbers(instance.calls.controls(), CONTROLS);
  values[0] = controls.steer;
  values[1] = controls.throttle;
  values[2] = controls.brake;
  values[3] = controls.clutch;
  values[4] = controls.handbrake;
  values[5] = controls.gear;
  values[6] = controls.shiftUp;
  values[7] = controls.shiftDown;
  values[8] = controls.reset;
  values[9] = controls.aidsOff;
  instance.calls.set_controls();
}
