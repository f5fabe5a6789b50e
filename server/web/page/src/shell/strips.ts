// The strips below the map: the line map, and heights where there are any.
import { Elevation } from '../map/elevation';
import { LineMap } from '../map/line_map';
import type { Session, TrackOutline } from '../race/race';
import { el } from '../ui/dom';
import type { Selection } from '../ui/selection';
import type { View } from '../ui/view';

const LEVEL_M = 4; // a track with less between its lowest and highest place is level

/** The lap under the map: as a line with everybody on it, and its heights where there are any. */
export class Strips {
  readonly element: HTMLElement;
  readonly views: View[];
  private readonly elevation: Elevation;
  private track: TrackOutline | null = null;

  constructor(selection: Selection) {
    const line = new LineMap(selection);
    this.elevation = new Elevation(selection);
    this.elevation.element.hidden = true;
    this.views = [line, this.elevation];
    const label = { class: 'race-strips panel', 'aria-label': 'The lap as a line' };
    this.element = el('section', label, line.element, this.elevation.element);
    this.element.hidden = true;
  }

  /** Ten times a second. */
  hear(session: Session): void {
    const track = session.track();
    if (track === this.track) return;
    this.track = track;
    this.element.hidden = track === null || !(track.lengthM > 0);
    this.elevation.element.hidden = track === null || reliefM(track.heightM) < LEVEL_M;
  }
}

/** Between the lowest and the highest place. */
function reliefM(heightM: Float64Array): number {
  let low = Infinity;
  let high = -Infinity;
  for (const height of heightM) {
    if (height < low) low = height;
    if (height > high) high = height;
  }
  return heightM.length === 0 ? 0 : high - low;
}
