// A view is a part of the page that shows something of a race.
import type { RaceEvent, Session } from '../race/race';

/** A part of the page that shows something of a race. It belongs to one session at a time. */
export interface View {
  readonly element: HTMLElement;
  /** Each frame while it can be seen. */
  frame?(session: Session, nowMs: number): void;
  /** Ten times a second: what people read need not change faster. */
  tick?(session: Session, nowMs: number): void;
  /**
   * Takes the events that have happened, seen or not, each once. The shell alone calls
   * session.takeEvents(); views hear of them here.
   */
  events?(events: readonly RaceEvent[], session: Session, nowMs: number): void;
  /** Another session is shown from now on: forget what was of the last. */
  reset?(): void;
  /** It is not shown any more, ever: let go of the window, of sound, of devices. */
  end?(): void;
}
