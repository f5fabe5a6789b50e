/**
 * A page for looking at parts without a server. What a race is made of comes from the address:
 * cars, track (circuit, eight, hill), seed, laps, skip (seconds into the race), drive, replay.
 */
import './dev.css';
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
const session = new FakeSession(wish);
const text = document.createElement('pre');
document.body.append(text);

function frame(nowMs: number): void {
  session.update(nowMs);
  const lines = session.standings()?.lines ?? [];
  text.textContent = lines.map((l) => `${l.position} ${l.name} ${l.gapUs / 1e6}`).join('\n');
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
