// The calibration of a steering wheel finds out axis by axis which one moves for what.
import { inputsOf, type PadState } from './axes';
import type { PedalSource, WheelSetup } from './wheel';

/** The steps through which somebody with a new wheel is led, one after the other. */
export const STEPS = [
  'rest',
  'left',
  'right',
  'throttle',
  'brake',
  'clutch',
  'handbrake',
  'shiftUp',
  'shiftDown',
  'reset',
] as const;

export type Step = (typeof STEPS)[number];

export const STEP_TEXT: Record<Step, string> = {
  // Axes that have not moved yet are reported as 0, wherever they stand.
  rest: 'Turn the wheel and press each pedal once. Then centre it and take your feet off.',
  left: 'Turn the wheel all the way to the left and hold it there.',
  right: 'Turn the wheel all the way to the right and hold it there.',
  throttle: 'Let go of the wheel. Press the throttle all the way down and hold it.',
  brake: 'Press the brake all the way down and hold it.',
  clutch: 'Press the clutch all the way down and hold it; skip it if there is none.',
  handbrake: 'Pull the handbrake, or hold the button that is to be one; skip it if there is none.',
  shiftUp: 'Hold the paddle that shifts up; skip it if there is none.',
  shiftDown: 'Hold the paddle that shifts down; skip it if there is none.',
  reset: 'Hold the button that is to put you back onto the track, or skip it.',
};

const PEDAL_TRAVEL = 0.35;
const WHEEL_TRAVEL = 0.15;

/**
 * Finds out which axis is what by what moved most since everything was at rest. Pedals may rest at
 * -1, 0 or 1 and go either way; what serves for one thing does not serve for the next.
 */
export class Calibration {
  private at = 0;
  private rest: number[] = [];
  private now: number[] = [];
  private axes = 0;
  private readonly used = new Set<number>();
  private steer: WheelSetup['steer'] = { input: -1, left: 0, right: 0 };
  private readonly pedals: Partial<Record<Step, PedalSource>> = {};
  private readonly buttons: Partial<Record<Step, number>> = {};
  /** The complaint about the last step; '' if nothing was wrong. */
  complaint = '';

  get step(): Step | null {
    return STEPS[this.at] ?? null;
  }

  get maySkip(): boolean {
    return this.at >= STEPS.indexOf('clutch');
  }

  look(pad: PadState): void {
    inputsOf(pad, this.now);
    this.axes = pad.axes.length;
  }

  skip(): void {
    if (this.maySkip) this.at++;
  }

  /** Takes what is held now as the answer; stays at the step if that is none. */
  next(): void {
    this.complaint = this.take(this.step);
    if (this.complaint === '') this.at++;
  }

  private take(step: Step | null): string {
    if (step === null) return '';
    if (step === 'rest') {
      this.rest = [...this.now];
      return this.rest.length > 0 ? '' : 'The wheel says nothing. Is it switched on?';
    }
    if (step === 'left') return this.takeLeft();
    if (step === 'right') return this.takeRight();
    const isButton = step === 'shiftUp' || step === 'shiftDown' || step === 'reset';
    if (isButton) return this.takeButton(step);
    return this.takePedal(step);
  }

  private takeLeft(): string {
    const input = this.mostMoved(0, this.axes, WHEEL_TRAVEL);
    if (input < 0) return 'No axis has moved. Turn the wheel and hold it.';
    this.steer = { input, left: this.now[input]!, right: 0 };
    this.used.add(input);
    return '';
  }

  private takeRight(): string {
    const { input, left } = this.steer;
    const right = this.now[input]!;
    if (Math.abs(right - left) < 2 * WHEEL_TRAVEL) return 'The wheel is still where left was.';
    this.steer.right = right;
    return '';
  }

  private takePedal(step: Step): string {
    const input = this.mostMoved(0, this.now.length, PEDAL_TRAVEL);
    if (input < 0) return 'No pedal has moved. Press it and hold it.';
    this.pedals[step] = { input, rest: this.rest[input]!, full: this.now[input]! };
    this.used.add(input);
    return '';
  }

  private takeButton(step: Step): string {
    const input = this.mostMoved(this.axes, this.now.length, 0.5);
    if (input < 0) return 'No button is down. Press it and hold it.';
    this.buttons[step] = input - this.axes;
    this.used.add(input);
    return '';
  }

  private mostMoved(from: number, to: number, least: number): number {
    let best = -1;
    let most = least;
    for (let i = from; i < to; i++) {
      const moved = Math.abs(this.now[i]! - (this.rest[i] ?? 0));
      if (this.used.has(i) || moved <= most) continue;
      most = moved;
      best = i;
    }
    return best;
  }

  /** Once all steps are done. */
  setup(): WheelSetup | null {
    const { throttle, brake, clutch, handbrake } = this.pedals;
    if (this.step !== null || throttle === undefined || brake === undefined) return null;
    return {
      steer: { ...this.steer },
      throttle,
      brake,
      clutch: clutch ?? null,
      handbrake: handbrake ?? null,
      shiftUp: this.buttons.shiftUp ?? -1,
      shiftDown: this.buttons.shiftDown ?? -1,
      reset: this.buttons.reset ?? -1,
    };
  }
}
