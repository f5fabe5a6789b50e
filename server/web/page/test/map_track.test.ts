import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTrack } from '../src/dev/fake_track';
import { findBridges, isUnder } from '../src/map/bridges';
import { LapFinder } from '../src/map/lap_finder';
import { shadeOf } from '../src/map/terrain';
import { markAt, sidesOf } from '../src/map/track_plan';

const circuit = makeTrack('circuit').outline;
const eight = makeTrack('eight').outline;

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
