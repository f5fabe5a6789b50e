// The drawn track: widths, simplified lines, bridges.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTrack } from '../src/dev/fake_track';
import { findBridges, isUnder } from '../src/map/bridges';
import { leastRoadPx, roadPx } from '../src/map/road_width';
import { LapFinder } from '../src/map/lap_finder';
import { shadeOf } from '../src/map/terrain';
import { markAt, sidesOf, thinned } from '../src/map/track_plan';

const circuit = makeTrack('circuit').outline;
const eight = makeTrack('eight').outline;

test('a road is wider than true where it would be a hair, and true where there is room', () => {
  assert.equal(roadPx(0, 10), 10);
  assert.equal(roadPx(1.3, 10), 10.04225);
  assert.equal(roadPx(10, 10), 12.5);
  for (const truePx of [20, 20.5, 33, 400]) assert.equal(roadPx(truePx, 10), truePx);
  assert.equal(roadPx(3, 0), 3, 'no least width, nothing to add');
});

test('zooming in, a road grows without a step or a kink, and is never too thin', () => {
  const step = 0.01;
  let slope = 0;
  for (let truePx = 0; truePx < 30; truePx += step) {
    const px = roadPx(truePx, 11);
    const grown = (roadPx(truePx + step, 11) - px) / step;
    assert.ok(px >= 11 && px >= truePx, `${px} at ${truePx}`);
    assert.ok(grown > -1e-9 && grown >= slope - 1e-6 && grown < 1 + 1e-6, `${grown} at ${truePx}`);
    assert.ok(grown - slope < 0.01, `a kink at ${truePx}`);
    slope = grown;
  }
});

test('the least width of a road is a share of the map, within reason', () => {
  assert.ok(Math.abs(leastRoadPx(474, 350) - 7.7) < 1e-9);
  assert.equal(leastRoadPx(390, 200), 7);
  assert.equal(leastRoadPx(2000, 1400), 12);
});

test('lines of fewer points keep their ends and stay close', () => {
  const few = thinned(circuit.centre, 7);
  assert.ok(few.length < circuit.centre.length / 2 && few.length > 100);
  assert.deepEqual([...few.slice(0, 2)], [...circuit.centre.slice(0, 2)]);
  assert.deepEqual([...few.slice(-2)], [...circuit.centre.slice(-2)]);
  for (let i = 2; i + 3 < few.length; i += 2) {
    const apart = Math.hypot(few[i]! - few[i - 2]!, few[i + 1]! - few[i - 1]!);
    assert.ok(apart >= 7 && apart < 14, `${apart} m`);
  }
  assert.deepEqual([...thinned(Float64Array.of(0, 0, 3, 0, 9, 0, 12, 0), 7)], [0, 0, 9, 0, 12, 0]);
  assert.equal(thinned(new Float64Array(0), 7).length, 0);
});

test('a lap that crosses itself has a bridge there, on the higher way', () => {
  const bridges = findBridges(eight, 12);
  assert.equal(bridges.length, 1);
  const { x, y, from, to, heightM } = bridges[0]!;
  assert.ok(Math.hypot(x, y) < 60, `at ${x} ${y}`);
  const middle = Math.round((from + to) / 2) % eight.lapM.length;
  assert.ok(Math.abs(eight.heightM[middle]! - heightM) < 1);
  const lengthM = (to - from) * (eight.lengthM / eight.lapM.length);
  assert.ok(lengthM > 2 * 34 && lengthM < 2 * 34 + 10, `${lengthM} m`);
  assert.ok(isUnder(bridges, x, y, heightM - 5));
  assert.ok(!isUnder(bridges, x, y, heightM + 0.5));
  assert.ok(!isUnder(bridges, x + 100, y, heightM - 5));
});

test('a plain circuit has none, nor has a crossroads', () => {
  assert.equal(findBridges(circuit, 12).length, 0);
  const level = { ...eight, heightM: new Float64Array(eight.heightM.length) };
  assert.equal(findBridges(level, 12).length, 0);
});

test('a bridge over the line reaches round it', () => {
  const count = eight.lapM.length;
  const at = findBridges(eight, 12)[0]!;
  const shift = Math.round((at.from + at.to) / 2);
  const turned = <T extends Float64Array>(of: T, width: number): Float64Array =>
    Float64Array.from(of, (_, i) => of[(i + shift * width) % of.length]!);
  const moved = findBridges(
    {
      closed: true,
      lapM: eight.lapM,
      centre: turned(eight.centre, 2),
      heightM: turned(eight.heightM, 1),
    },
    12,
  );
  assert.equal(moved.length, 1);
  const { from, to } = moved[0]!;
  assert.ok(from < 0 || to >= count, `${from} to ${to} of ${count}`);
  assert.ok(to - from < 40, `${to - from} rows`);
});

test('the sides of a band are found, a blob has none', () => {
  const band = Float64Array.from([0, 0, 10, 0, 20, 1, 20, 3, 10, 2, 0, 2]);
  const sides = sidesOf(band);
  assert.deepEqual([...sides![0]], [0, 0, 10, 0, 20, 1]);
  assert.deepEqual([...sides![1]], [0, 2, 10, 2, 20, 3]);
  assert.deepEqual([...sidesOf(Float64Array.from([...band, 0, 0]))![1]], [0, 2, 10, 2, 20, 3]);
  assert.equal(sidesOf(Float64Array.from([0, 0, 5, 0, 5, 90, 0, 90])), null);
  assert.equal(sidesOf(Float64Array.from([0, 0, 5, 0, 2, 3])), null);
});

test('a mark lies at its lap distance and points onwards', () => {
  const mark = markAt(circuit, 100.7)!;
  const k = 33;
  const dx = circuit.centre[2 * k + 2]! - circuit.centre[2 * k]!;
  const dy = circuit.centre[2 * k + 3]! - circuit.centre[2 * k + 1]!;
  assert.ok(Math.abs(mark.yaw - Math.atan2(dy, dx)) < 0.05);
  const away = Math.hypot(mark.x - circuit.centre[2 * k]!, mark.y - circuit.centre[2 * k + 1]!);
  assert.ok(away < 3.1, `${away}`);
  assert.equal(markAt({ ...circuit, lapM: new Float64Array(0) }, 5), null);
});

test('lap distances are found, near where a car was and anywhere', () => {
  const finder = new LapFinder(circuit);
  for (const lapM of [0, 1.4, 640, 2222.2, circuit.lengthM - 1]) {
    const { x, y } = markAt(circuit, lapM)!;
    const z = finder.heightAt(lapM);
    for (const car of [1, 1, lapM]) {
      const found = finder.find(car, x, y, z);
      const off = Math.abs(found - lapM);
      assert.ok(Math.min(off, circuit.lengthM - off) < 0.6, `${found} for ${lapM}`);
    }
  }
});

test('below the bridge is another place of the lap than on it', () => {
  const { x, y, heightM } = findBridges(eight, 12)[0]!;
  const finder = new LapFinder(eight);
  const above = finder.find(1, x, y, heightM);
  const below = finder.find(2, x, y, heightM - 6);
  assert.ok(above > eight.lengthM / 2 && below < eight.lengthM / 2, `${above} and ${below}`);
});

test('slopes towards the north-west are bright, level ground is neither', () => {
  const slope = (dx: number, dy: number) => ({
    columns: 3,
    rows: 3,
    west: 0,
    south: 0,
    cellM: 10,
    heights: Float32Array.from({ length: 9 }, (_, i) => dx * (i % 3) + dy * Math.floor(i / 3)),
    surfaces: new Uint8Array(9),
    surfaceNames: ['grass'],
  });
  assert.equal(Math.abs(shadeOf(slope(0, 0), 1, 1)), 0);
  assert.ok(shadeOf(slope(2, -2), 1, 1) > 0.1);
  assert.ok(shadeOf(slope(-2, 2), 1, 1) < -0.1);
  assert.ok(shadeOf(slope(2, -2), 0, 0) > 0.1, 'at the edge, too');
  assert.equal(shadeOf(slope(200, -200), 1, 1), 1);
});
