/**
 * A page for looking at parts without a server. The address says of what the race is made:
 * cars, track (circuit, eight, hill), seed, laps, skip (seconds into the race), drive, replay; and
 * how it is looked at: theme (light, dark), choose (a car), follow, heading, zoom (a factor), fps,
 * strips (the lap as a line and its heights).
 */
import './dev.css';
import { Elevation } from '../map/elevation';
import { LineMap } from '../map/line_map';
import { TrackMap } from '../map/map';
import { lookOf } from '../ui/route';
import { Selection } from '../ui/selection';
import { watchTheme } from '../ui/theme';
import { FakeSession, fakeDefaults, type FakeWish } from './fake_session';
import type { FakeTrackName } from './fake_track';

const query = new URLSearchParams(location.search);

function number(name: string, otherwise: number): number {
  const text = query.get(name);
  return text === null || Number.isNaN(Number(text)) ? otherwise : Number(text);
}

const wish: FakeWish = {
  cars: number('cars', fakeDefaults.cars),
  track: (query.get('track') ?? fakeDefaults.track) as FakeTrackName,
  seed: number('seed', fakeDefaults.seed),
  laps: number('laps', fakeDefaults.laps),
  skipS: number('skip', fakeDefaults.skipS),
  drive: query.has('drive'),
  replay: query.has('replay'),
};
watchTheme(lookOf(location.search).theme);

const session = new FakeSession(wish);
const selection = new Selection();
const map = new TrackMap(selection, { fps: query.has('fps') });
document.body.append(map.element);
const strips = query.has('strips') ? [new LineMap(selection), new Elevation(selection)] : [];
document.body.append(...strips.map((strip) => strip.element));
selection.onChange((car) => session.focus(car));
selection.choose(number('choose', 0));
if (query.has('follow')) map.follow(true);
if (query.has('heading')) map.headingUp(true);

let zoom = number('zoom', 0);

function frame(nowMs: number): void {
  session.update(nowMs);
  map.events(session.takeEvents(), session, nowMs);
  map.frame(session, nowMs);
  for (const strip of strips) strip.tick(session, nowMs);
  if (zoom > 0 && map.stats().frames > 3) {
    map.zoomBy(zoom);
    zoom = 0;
  }
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
Object.assign(window, { apex: { map, session, selection } });
