/** A pad's motors shake with blows, with tyres that slide and on ground beside the road. */

const BLOW_FULL_NS = 6000;
const STEADY_MS = 120;

export interface Shake {
  strong: number;
  weak: number;
  ms: number;
}

export function blow(impulseNs: number): Shake {
  const share = Math.min(1, Math.sqrt(Math.max(0, impulseNs) / BLOW_FULL_NS));
  return { strong: share, weak: share * 0.6, ms: 80 + Math.round(220 * share) };
}

/** `slide` 0 to 1; null: all is calm. */
export function steadyShake(slide: number, isOffRoad: boolean, speedMps: number): Shake | null {
  const speedShare = Math.min(1, speedMps / 30);
  const weak = Math.min(1, slide * 0.35 * speedShare + (isOffRoad ? 0.4 * speedShare : 0));
  const strong = isOffRoad ? 0.45 * speedShare : 0;
  return weak < 0.05 && strong < 0.05 ? null : { strong, weak, ms: STEADY_MS };
}

interface Actuator {
  playEffect?: (type: 'dual-rumble', effect: Record<string, number>) => Promise<unknown>;
}

/** The motors of a pad, if it has some. A blow is not cut short by what is steady. */
export class Rumble {
  private blowUntilMs = 0;
  private steadyUntilMs = 0;

  blow(pad: Gamepad | null, impulseNs: number, nowMs: number): void {
    const shake = blow(impulseNs);
    if (pad === null || shake.strong < 0.1) return;
    this.blowUntilMs = nowMs + shake.ms;
    play(pad, shake);
  }

  steady(pad: Gamepad | null, shake: Shake | null, nowMs: number): void {
    if (pad === null || shake === null) return;
    if (nowMs < this.blowUntilMs || nowMs < this.steadyUntilMs) return;
    this.steadyUntilMs = nowMs + shake.ms * 0.8;
    play(pad, shake);
  }
}

function play(pad: Gamepad, shake: Shake): void {
  const actuator = pad.vibrationActuator as Actuator | null | undefined;
  if (actuator?.playEffect === undefined) return;
  actuator
    .playEffect('dual-rumble', {
      duration: shake.ms,
      strongMagnitude: shake.strong,
      weakMagnitude: shake.weak,
    })
    .catch(() => {}); // a pad without motors, or one that has just left
}
