// The camera: fitting, turning, zooming, following.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Camera, sharpen } from '../src/map/camera';

const bounds = { west: -400, south: -100, east: 600, north: 300 };

function camera(): Camera {
  const made = new Camera();
  made.widthPx = 1000;
  made.heightPx = 800;
  made.look(bounds);
  made.fit();
  made.arrive();
  return made;
}

function near(found: readonly number[], wanted: readonly number[], within = 1e-6): void {
  found.forEach((value, i) => {
    assert.ok(Math.abs(value - wanted[i]!) < within, `${found} is not ${wanted}`);
  });
}

function settle(made: Camera): void {
  for (let i = 0; i < 300; i++) made.step(16);
}

test('north is above and east is to the right', () => {
  const made = camera();
  const [right, down] = made.toScreen(100, 100);
  near([right, down], [500, 400]);
  assert.ok(made.toScreen(200, 100)[0] > right);
  assert.ok(made.toScreen(100, 200)[1] < down);
});

test('fitting shows all of the bounds and uses the room there is', () => {
  const made = camera();
  const [left, up] = made.toScreen(bounds.west, bounds.north);
  const [right, down] = made.toScreen(bounds.east, bounds.south);
  near([left, right], [28, 972]);
  assert.ok(up > 0 && down < 800);
});

test('a place goes to the canvas and back, however the map is turned', () => {
  const made = camera();
  for (const turn of [0, 0.7, -2.1, Math.PI]) {
    made.turnRad = turn;
    near(made.toWorld(...made.toScreen(123.4, -56.7)), [123.4, -56.7]);
    near(made.toScreen(...made.toWorld(77, 640)), [77, 640]);
  }
});

test('heading up: what lies ahead of a car is above it', () => {
  const made = camera();
  const yaw = 2.2;
  made.turnRad = Math.PI / 2 - yaw;
  const [right, down] = made.toScreen(100, 100);
  const ahead = made.toScreen(100 + 10 * Math.cos(yaw), 100 + 10 * Math.sin(yaw));
  near([ahead[0]], [right]);
  assert.ok(ahead[1] < down);
  const left = made.toScreen(100 - 10 * Math.sin(yaw), 100 + 10 * Math.cos(yaw));
  assert.ok(left[0] < right);
});

test('zooming keeps what is below the pointer there, at each step of the glide', () => {
  const made = camera();
  made.turnRad = 0.4;
  made.turnTo(0.4);
  const place = made.toWorld(250, 610);
  const before = made.pxPerM;
  made.zoomBy(3, 250, 610);
  for (let i = 0; i < 200; i++) {
    made.step(16);
    near(made.toScreen(...place), [250, 610], 1e-6);
  }
  near([made.pxPerM], [3 * before]);
});

test('zooming has an end on both sides', () => {
  const made = camera();
  for (let i = 0; i < 50; i++) made.zoomBy(2);
  settle(made);
  assert.equal(made.pxPerM, 90);
  for (let i = 0; i < 50; i++) made.zoomBy(0.5);
  settle(made);
  near([made.pxPerM], [made.fitPxPerM() / 2]);
});

test('dragging moves the world with the finger, but not off the map', () => {
  const made = camera();
  const place = made.toWorld(300, 300);
  made.panBy(40, -25);
  near(made.toScreen(...place), [340, 275]);
  made.panBy(1e6, 0);
  assert.equal(made.x, bounds.west);
});

test('a chased car is in the middle at once if it was before, else after a glide', () => {
  const made = camera();
  made.chase(500, 200, true);
  made.step(16);
  assert.ok(Math.abs(made.x - 500) > 100, 'it glides to a new one');
  settle(made);
  made.chase(507, 203, false);
  made.step(16);
  near([made.x, made.y], [507, 203], 1e-3);
});

test('a glide takes as long at every rate of frames', () => {
  const after = [30, 60, 144].map((hz) => {
    const made = camera();
    made.chase(500, 200, true);
    for (let i = 0; i < hz / 2; i++) made.step(1000 / hz);
    return made.x;
  });
  near(after, [after[0]!, after[0]!, after[0]!], 0.5);
});

test('calm: no glides', () => {
  const made = camera();
  made.calm = true;
  made.zoomBy(2, 100, 100);
  const wanted = made.wantedPxPerM;
  made.step(1);
  assert.equal(made.pxPerM, wanted);
});

test('the way round is the short one when the map turns', () => {
  const made = camera();
  made.turnRad = 3.0;
  made.turnTo(-3.0);
  made.step(16);
  assert.ok(made.turnRad > 3.0);
});

test('upright bitmaps lie on whole pixels, turned ones where they belong', () => {
  const made = camera();
  made.x += 0.123;
  const upright = made.project();
  sharpen(upright);
  assert.equal(upright.right0, Math.round(upright.right0));
  made.turnRad = 0.3;
  const turned = made.project();
  const { right0 } = turned;
  sharpen(turned);
  assert.equal(turned.right0, right0);
});

test('a fit leaves free what is covered', () => {
  const made = camera();
  made.coveredPx = 100;
  made.fit();
  made.arrive();
  near([made.toScreen(bounds.west, 0)[0], made.toScreen(bounds.east, 0)[0]], [28, 872]);
});
