#!/usr/bin/env node
// The track as the page has it from the library's memory: a road with pits, an open one, a terrain.
// Cars stand in the boxes that the outline draws.
import {
  complaints, end, expect, expectThat, FEW_FRAMES, openBrowser, openPage, RACE, run, startServer,
  until,
} from './lib.mjs';

const CARS = 4;

/** The part of an outline that JSON can carry, and the places of cars. */
const seen = (page) =>
  page.evaluate(() => {
    const session = window.apex.session();
    const { count, values } = session.poses(performance.now());
    const outline = session.track();
    const copy = (value) =>
      ArrayBuffer.isView(value) ? Array.from(value)
        : Array.isArray(value) ? value.map(copy)
          : value !== null && typeof value === 'object'
            ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copy(part)]))
            : value;
    const row = (_, i) => Array.from(values.slice(20 * i, 20 * i + 5));
    const cars = Array.from({ length: count }, row);
    return { outline: copy(outline), cars, again: session.track() === outline };
  });

async function look(name) {
  const race = RACE.replace('track: oval', `track: ${name}`)
    .replace('countdown_s: 1', 'countdown_s: 30');
  const server = await startServer(name, { race, args: ['--bots', String(CARS)] });
  const page = await openPage(server.url, FEW_FRAMES);
  await until('the grid', 20, () =>
    page.evaluate((cars) => window.apex?.session()?.raceState()?.phase === 'countdown' &&
      window.apex.session().poses(performance.now()).count === cars &&
      window.apex.session().track() !== null, CARS));
  const found = await seen(page);
  await page.close();
  await end(server.child);
  expect(`${name}: one outline`, found.again, true);
  expect(`${name}: its name`, found.outline.name, name);
  return found;
}

function carsStandInTheirBoxes({ outline, cars }) {
  for (const [car, x, y, , yaw] of cars) {
    const box = outline.grid.slice(0, CARS).find((at) => Math.hypot(at.x - x, at.y - y) < 0.5);
    expectThat(`${outline.name}: car ${car} at ${x}, ${y} stands in a box`, box !== undefined);
    const turned = Math.abs(Math.atan2(Math.sin(box.yaw - yaw), Math.cos(box.yaw - yaw)));
    expectThat(`${outline.name}: box and car look the same way`, turned < 0.05);
  }
}

function edgesAreAlongTheLap({ name, left, right, centre, lapM, heightM, lengthM, closed }) {
  const count = lapM.length;
  expect(`${name}: numbers of points`, [left.length, right.length, centre.length, heightM.length],
    [2 * count, 2 * count, 2 * count, count]);
  expectThat(`${name}: the lap rises`, lapM.every((s, i) => i === 0 || s > lapM[i - 1]));
  expectThat(`${name}: it ends before it begins anew`, !closed || lapM[count - 1] < lengthM);
  for (let i = 0; i < count; i++) {
    const widthM = Math.hypot(left[2 * i] - right[2 * i], left[2 * i + 1] - right[2 * i + 1]);
    expectThat(`${name}: the road is ${widthM} m wide at ${lapM[i]} m`, widthM > 2 && widthM < 60);
  }
}

function liesWithin({ name, bounds, left, strips, walls }) {
  for (const points of [left, ...strips.map((s) => s.points), ...walls.map((w) => w.points)]) {
    expectThat(`${name}: shapes have points`, points.length >= 4 && points.length % 2 === 0);
    for (let i = 0; i < points.length; i += 2) {
      const [x, y] = [points[i], points[i + 1]];
      expectThat(`${name}: ${x}, ${y} lies within the bounds`,
        x > bounds.west - 0.01 && x < bounds.east + 0.01 &&
        y > bounds.south - 0.01 && y < bounds.north + 0.01);
    }
  }
}

await run(async () => {
  await openBrowser();
  const road = await look('ridgeway');
  const open = await look('drag-strip');
  const ground = await look('car-park-lap');
  for (const found of [road, open, ground]) {
    carsStandInTheirBoxes(found);
    edgesAreAlongTheLap(found.outline);
    liesWithin(found.outline);
  }
  const { outline } = road;
  expect('surfaces', [...new Set(outline.strips.map((s) => s.surface))].sort().slice(0, 4),
    ['asphalt', 'grass', 'gravel', 'kerb']);
  expect('sectors', outline.sectorM.map(Math.round), [1470, 2880, 4237]);
  expectThat('a pit lane', outline.pitLane.length > 80);
  expectThat('guard rails', outline.walls.some((wall) => wall.material === 'guard-rail'));
  expect('the line', [outline.finishM, outline.closed, outline.terrain], [0, true, null]);
  expect('open', [open.outline.closed, Math.round(open.outline.finishM)], [false, 402]);
  expectThat('a run-up', open.outline.lapM[0] < 0);
  const { terrain } = ground.outline;
  expect('nodes', [terrain.heights.length, terrain.surfaces.length],
    [terrain.columns * terrain.rows, terrain.columns * terrain.rows]);
  expectThat('surfaces have names', Math.max(...terrain.surfaces) < terrain.surfaceNames.length);
  expectThat('ground is not level', Math.max(...terrain.heights) > Math.min(...terrain.heights));
  expect('complaints of the console', complaints, []);
});
