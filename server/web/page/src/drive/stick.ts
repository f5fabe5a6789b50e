// The common part of pads and wheels: a frame's levels, and whether a hand moved them.
import type { PadState } from './axes';
import { AT_REST, hasMoved } from './device';
import type { Device, DeviceInput, DeviceKind, Wish } from './device';
import { Presses } from './presses';

/**
 * The part that pads and wheels share: levels of this frame, and when a hand was last seen at them.
 */
export abstract class Stick implements Device {
  abstract readonly kind: DeviceKind;
  protected levels: Readonly<DeviceInput> = AT_REST;
  protected anchor: Readonly<DeviceInput> = AT_REST; // when it was last seen to move
  private lastMs = -Infinity;
  private readonly presses = new Presses();

  constructor(private readonly onWish: (wish: Wish) => void) {}

  protected watch(nowMs: number): void {
    if (!hasMoved(this.levels, this.anchor)) return;
    this.anchor = this.levels;
    this.lastMs = nowMs;
  }

  /** True once for each press of a button. */
  protected isPressed(pad: PadState, index: number): boolean {
    return this.presses.look(index, pad.buttons[index]?.pressed === true);
  }

  /** A button that means something: its wish, once for each press. */
  protected press(pad: PadState, index: number, wish: Wish, nowMs: number): void {
    if (!this.isPressed(pad, index)) return;
    this.lastMs = nowMs;
    this.onWish(wish);
  }

  read(): Readonly<DeviceInput> {
    return this.levels;
  }

  usedMs(): number {
    return this.lastMs;
  }

  release(): void {
    this.levels = AT_REST;
  }
}
