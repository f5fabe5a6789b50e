// The stage holds the views of a race and calls each when it is due.
import type { RaceEvent, Session } from '../race/race';
import { Seen } from '../ui/seen';
import type { View } from '../ui/view';

const TICK_MS = 100;

/** The views of a race, and what is called of them when. */
export class Stage {
  private readonly views: View[] = [];
  private readonly seen = new Seen();
  private tickedMs = -Infinity;

  add(view: View): void {
    this.views.push(view);
    this.seen.watch(view.element);
  }

  isSeen(view: View): boolean {
    return this.seen.has(view.element);
  }

  /** @return whether it was time for a tick */
  frame(session: Session, nowMs: number): boolean {
    const isTick = nowMs - this.tickedMs >= TICK_MS;
    if (isTick) this.tickedMs = nowMs;
    for (const view of this.views) {
      if (!this.isSeen(view)) continue;
      view.frame?.(session, nowMs);
      if (isTick) view.tick?.(session, nowMs);
    }
    return isTick;
  }

  events(events: readonly RaceEvent[], session: Session, nowMs: number): void {
    for (const view of this.views) view.events?.(events, session, nowMs);
  }

  reset(): void {
    this.tickedMs = -Infinity;
    for (const view of this.views) view.reset?.();
  }

  end(): void {
    for (const view of this.views) view.end?.();
    this.seen.end();
  }
}
