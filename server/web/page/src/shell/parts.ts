// The parts that the shell is put together from, as interfaces.
import type { Reason, Session, SessionWish } from '../race/race';
import type { Selection } from '../ui/selection';
import type { View } from '../ui/view';

export interface MapStats {
  fps: number;
  p50Ms: number; // between frames, like p95Ms
  p95Ms: number;
  cars: number; // in the last frame
}

export interface MapWish {
  fps: boolean;
  buttons: boolean;
  overview: boolean;
  /** The elements that lie over the map, beside its own buttons: names keep clear of them. */
  over: () => Iterable<Element>;
}

/** The calls that the shell makes of the map, beyond that it shows a race. */
export interface MapPart extends View {
  stats(): MapStats;
  /** The places of cars' names on the page. */
  names(): DOMRect[];
  readonly mode: 'fit' | 'free' | 'follow';
  readonly isHeadingUp: boolean;
  follow(on: boolean): void;
  headingUp(on: boolean): void;
  /** Outlines of where the server had the cars, and of where they were shown at that moment. */
  toggleTruth(): void;
  fit(): void;
  zoomBy(factor: number): void;
}

export interface DriveWish {
  name: string;
  car: string;
  isGuest: boolean;
}

export interface DriveHooks {
  onJoin(wish: DriveWish): void;
  /** @returns true where no name need be asked for */
  onPressed(): boolean;
  onLeave(): void;
  /** More or less of the road ahead is to be seen, of a map that follows. */
  zoomMap(factor: number): void;
}

/** The display of a driver; its button stands in the header. */
export interface DrivePart extends View {
  readonly button?: HTMLElement;
  /** There is no wheel, or, null, it was not asked for after all. */
  refused(reason: Reason | null): void;
}

/** The parts that make up the page. main.ts names those that ship, the dev page others. */
export interface Parts {
  openSession(wish: SessionWish): Promise<Session>;
  map(selection: Selection, options: MapWish): MapPart;
  drive(hooks: DriveHooks): DrivePart | null;
  replayBar(): View | null;
}
