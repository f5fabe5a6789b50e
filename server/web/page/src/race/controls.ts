// Controls are written into the library's memory, field by field.
import type { Instance } from './instance';
import { Control, CONTROLS } from './numbers';
import type { Controls } from './race';

const NAMES = Object.keys(Control) as (keyof typeof Control)[];

export function giveControls(instance: Instance, controls: Controls): void {
  const values = instance.numbers(instance.calls.controls(), CONTROLS);
  for (const name of NAMES) values[Control[name]] = controls[name];
  instance.calls.set_controls();
}
