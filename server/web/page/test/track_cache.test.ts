// What is kept of the newest track.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrackDef } from '../src/race/ground';
import type { TrackOutline } from '../src/race/race';
import { TrackCache } from '../src/race/track_cache';

function def(hash: string): TrackDef {
  return { hash, bytes: new Uint8Array(0) };
}

test('a ground is laid once, until another track comes', async () => {
  const tracks = new TrackCache();
  const laid: string[] = [];
  const lay = (of: TrackDef) => {
    laid.push(of.hash);
    return Promise.resolve(null);
  };
  assert.equal(tracks.ground(def('a'), lay), tracks.ground(def('a'), lay));
  await tracks.ground(def('b'), lay);
  await tracks.ground(def('a'), lay);
  assert.deepEqual(laid, ['a', 'b', 'a']);
});

test('an outline is read once it is there, and then kept', () => {
  const tracks = new TrackCache();
  const outline = { name: 'oval' } as TrackOutline;
  assert.equal(tracks.outline('a', () => null), null);
  assert.equal(tracks.outline('a', () => outline), outline);
  assert.equal(tracks.outline('a', () => null), outline);
  assert.equal(tracks.outline('b', () => null), null);
});
