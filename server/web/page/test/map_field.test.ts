// The field: picking, the own car, colours, the order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeSession } from '../src/dev/fake_session';
import { channels, isClear } from '../src/map/colours';
import { liveryOf, palette } from '../src/ui/livery';
import { flashSize } from '../src/map/effects';
import { Field, pickCar } from '../src/map/field';
import { FrameTimes } from '../src/map/frames';
import { actOnKey, type KeyTarget } from '../src/map/map_keys';
import { Haste } from '../src/map/frames';
import { chooseLabels, LabelPlacer, type LabelWish } from '../src/map/labels';
import { Pose, POSE_FIELDS, type Session } from '../src/race/race';

function session(of: Partial<ConstructorParameters<typeof FakeSession>[0]> = {}): FakeSession {
  const made = new FakeSession({ cars: 12, skipS: 30, ...of });
  made.update(1000);
  return made;
}

test('the nearest car within reach is picked', () => {
  const rows = new Float64Array(3 * POSE_FIELDS);
  [[4, 0, 0], [9, 10, 0], [17, 14, 3]].forEach(([car, x, y], i) => {
    rows[i * POSE_FIELDS + Pose.car] = car!;
    rows[i * POSE_FIELDS + Pose.x] = x!;
    rows[i * POSE_FIELDS + Pose.y] = y!;
  });
  const screen = (x: number, y: number): [number, number] => [100 + 5 * x, 100 - 5 * y];
  assert.equal(pickCar(rows, 3, screen, [152, 101], 18), 9);
  assert.equal(pickCar(rows, 3, screen, [163, 90], 18), 17);
  assert.equal(pickCar(rows, 3, screen, [125, 100], 18), 0);
  assert.equal(pickCar(rows, 2, screen, [170, 85], 18), 0, 'rows beyond the count are old');
});

test('a driver sees others at the moment of his own car, and not as they were told', () => {
  const field = new Field();
  const watched = session({ drive: true });
  field.look(watched, 2000);
  const seen = field.rows.slice(0, field.count * POSE_FIELDS);
  assert.deepEqual(seen, watched.poses(2000).values.slice());
  const told = watched.toldPoses(2000).values.slice();
  assert.equal(field.ownAt, 0);
  for (let row = 0; row < field.count; row++) {
    const at = row * POSE_FIELDS;
    const by = (column: number): number => seen[at + column]! - told[at + column]!;
    assert.equal(by(Pose.tick), 6, 'a tenth of a second');
    const aheadM = Math.hypot(by(Pose.x), by(Pose.y));
    assert.ok(aheadM > 1, `${aheadM} m`);
  }
});

test('the own car is found before the others, whatever its number', () => {
  const watched = session({ drive: true });
  const values = watched.poses(2000).values.slice();
  const own = values.slice(6 * POSE_FIELDS, 7 * POSE_FIELDS); // car 7
  values.copyWithin(POSE_FIELDS, 0, 6 * POSE_FIELDS);
  values.set(own);
  const wrapped: Session = Object.assign(Object.create(watched) as Session, {
    poses: () => ({ count: 12, values }),
    car: () => 7,
  });
  const field = new Field();
  field.look(wrapped, 2000);
  assert.equal(field.ownAt, 0);
  const places = [7, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12].map((car) => field.indexOf(car));
  assert.deepEqual(places, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  assert.deepEqual([0, 6.5, 13].map((car) => field.indexOf(car)), [-1, -1, -1]);
});

test('the order says who leads and who is out', () => {
  const field = new Field();
  const watched = session();
  for (let ms = 1000; ms < 20_000; ms += 100) watched.update(ms);
  field.look(watched, 20_000);
  const first = watched.standings()!.lines[0]!;
  assert.equal(field.infoOf(field.leader)?.player, first.player);
  assert.equal(field.carOf(first.player), field.leader);
  assert.equal(field.carOf(999), 0);
});

test('colours are a player\'s for good, and those that join together differ', () => {
  assert.deepEqual(liveryOf(1234), liveryOf(1234));
  const looks = new Set<string>();
  for (let player = 1; player <= 24; player++) {
    const { colour, spot } = liveryOf(player);
    looks.add(colour + spot);
  }
  assert.equal(looks.size, 24);
  for (const player of [0, 1, 65535, 65536 * 3 + 2, 2 ** 31, 2 ** 32 - 1]) {
    assert.ok(palette.includes(liveryOf(player).colour), `player ${player}`);
  }
});

test('colours are read as browsers write them', () => {
  assert.deepEqual(channels('rgb(1, 22, 255)'), [1, 22, 255]);
  assert.deepEqual(channels('rgba(1, 22, 255, 0.5)'), [1, 22, 255]);
  assert.deepEqual(channels('color(srgb 0.5 0 1)').map(Math.round), [128, 0, 255]);
  assert.ok(isClear('rgba(0, 0, 0, 0)'));
  assert.ok(!isClear('rgba(0, 0, 0, 0.5)') && !isClear('rgb(0, 0, 0)'));
});

function wish(car: number, right: number, down: number, must = false): LabelWish {
  return { car, right, down, gapPx: 10, widthPx: 40, heightPx: 16, must };
}

test('labels do not lie on each other, and those that must be seen are', () => {
  const placer = new LabelPlacer();
  const wishes = [wish(1, 100, 100, true)];
  for (let i = 0; i < 30; i++) wishes.push(wish(2 + i, 100 + i, 100 + i));
  const placed = placer.place(wishes);
  assert.ok(placed[0]!.slot >= 0);
  const shown = placed.filter((label) => label.slot >= 0);
  assert.ok(shown.length >= 4 && shown.length < 20);
  shown.forEach((a, i) => {
    for (const b of shown.slice(i + 1)) {
      const apart = Math.abs(a.right - b.right) >= 40 || Math.abs(a.down - b.down) >= 16;
      assert.ok(apart, 'two on one place');
    }
  });
});

test('a label stays on its side while there is room', () => {
  const placer = new LabelPlacer();
  placer.place([wish(1, 100, 100), wish(2, 130, 110)]);
  const side = placer.placed[1]!.slot;
  assert.notEqual(side, 0, 'the first one has that side');
  placer.place([wish(2, 300, 300)]);
  assert.equal(placer.placed[0]!.slot, side);
});

test('a label lies within the map where it can', () => {
  const placer = new LabelPlacer();
  placer.stayWithin(400, 300);
  const corners = [wish(1, 3, 4), wish(2, 397, 4), wish(3, 3, 296), wish(4, 397, 296)];
  for (const { right, down } of placer.place(corners)) {
    assert.ok(right >= 0 && right + 40 <= 400 && down >= 0 && down + 16 <= 300);
  }
  placer.stayWithin(60, 300); // no room on either side
  const [must, may] = placer.place([wish(5, 30, 100, true), wish(6, 30, 200)]);
  assert.ok(must!.slot >= 0 && must!.right >= 0 && must!.right + 40 <= 60);
  assert.equal(may!.slot, -1);
});

test('no label lies below a button, wherever the cars are', () => {
  const placer = new LabelPlacer();
  const buttons = [
    { right: 330, down: 160, widthPx: 60, heightPx: 90 },
    { right: 330, down: 256, widthPx: 60, heightPx: 44 },
  ];
  placer.stayWithin(400, 310);
  placer.keepClear(buttons);
  for (let right = 5; right < 400; right += 9) {
    for (let down = 5; down < 310; down += 9) {
      const [must, may] = placer.place([wish(1, right, down, true), wish(2, right + 4, down + 3)]);
      assert.ok(must!.slot >= 0, 'who is looked at has his name');
      for (const label of [must!, may!].filter(({ slot }) => slot >= 0)) {
        const isIn = label.right >= 0 && label.right + 40 <= 400 && label.down >= 0;
        assert.ok(isIn && label.down + 16 <= 310, `${right} ${down}: out of the map`);
        for (const { right: left, down: top, widthPx, heightPx } of buttons) {
          const apart =
            label.right + 40 <= left || label.right >= left + widthPx ||
            label.down + 16 <= top || label.down >= top + heightPx;
          assert.ok(apart, `${right} ${down}: at ${label.right} ${label.down}`);
        }
      }
    }
  }
});

test('names: those looked at first, then by place, not those that are not seen', () => {
  const seen = [5, 3, 9, 1].map((car, i) => ({ car, position: 4 - i }));
  assert.deepEqual(chooseLabels(seen, [3, 77], 3), [3, 1, 9]);
  assert.deepEqual(chooseLabels(seen, [], 10), [1, 9, 3, 5]);
});

test('a touch does not flash, a crash flashes more than a bump', () => {
  assert.equal(flashSize(50), 0);
  assert.ok(flashSize(500) > 0.2 && flashSize(500) < flashSize(5000));
  assert.equal(flashSize(1e9), 1);
});

test('frame times: pauses do not count, and the median is one', () => {
  const times = new FrameTimes();
  let now = 0;
  for (let i = 0; i < 101; i++) times.begin((now += i % 10 === 9 ? 50 : 10));
  times.begin((now += 60_000));
  times.begin((now += 10));
  const { fps, p50Ms, p95Ms, frames } = times.stats();
  assert.equal(frames, 103);
  assert.equal(p50Ms, 10);
  assert.equal(p95Ms, 50);
  assert.ok(Math.abs(fps - 1000 / 13.96) < 0.1, `${fps}`);
});

test('keys do what the help says; arrows are left alone while they steer', () => {
  const done: string[] = [];
  let steers = false;
  const target: KeyTarget = {
    pan: (right, down) => !steers && done.push(`pan ${right} ${down}`) > 0,
    zoomBy: (factor) => done.push(factor > 1 ? 'in' : 'out'),
    fit: () => done.push('fit'),
    toggleFollow: () => done.push('follow'),
    toggleHeadingUp: () => done.push('heading'),
    chooseBeside: (step) => done.push(`beside ${step}`),
    chooseNone: () => done.push('none'),
  };
  for (const key of ['+', '-', '0', 'F', 'h', 'PageUp', 'Escape', 'ArrowLeft']) {
    assert.ok(actOnKey(key, false, target), key);
  }
  actOnKey('ArrowDown', true, target);
  assert.deepEqual(done, [
    'in', 'out', 'fit', 'follow', 'heading', 'beside -1', 'none', 'pan -1 0', 'pan 0 3',
  ]);
  steers = true;
  assert.equal(actOnKey('ArrowLeft', false, target), false);
  assert.equal(actOnKey('Tab', false, target), false);
});

test('kinds of cars that come late are asked for again, but not each frame', () => {
  const watched = session();
  let asked = 0;
  let known = false;
  const wrapped: Session = Object.assign(Object.create(watched) as Session, {
    carShape: (name: string) => {
      asked++;
      return known ? watched.carShape(name) : null;
    },
  });
  const field = new Field();
  for (let ms = 2000; ms < 2100; ms += 16) field.look(wrapped, ms);
  assert.equal(asked, 12);
  known = true;
  for (let ms = 2100; ms < 2700; ms += 16) field.look(wrapped, ms);
  assert.equal(asked, 24);
  assert.equal(field.infoOf(1)!.shape, watched.carShape(watched.roster()[0]!.carDef));
  assert.ok(field.leader > 0, 'and the order is kept');
});

test('a map that turns gets rough where frames are slow, and stays so until it lies still', () => {
  const haste = new Haste();
  const frames = (count: number, ms: number, isTurned: boolean): void => {
    for (let i = 0; i < count; i++) haste.hear(ms, isTurned);
  };
  frames(1000, 1000 / 60, true);
  haste.hear(2000, true); // a page that was in hiding
  assert.equal(haste.isRough, false);
  frames(1000, 60, false);
  assert.equal(haste.isRough, false, 'upright it costs nothing');
  frames(200, 40, true);
  assert.equal(haste.isRough, true);
  frames(1000, 1000 / 60, true);
  assert.equal(haste.isRough, true, 'it is quick because it is rough');
  frames(1, 1000 / 60, false);
  assert.equal(haste.isRough, false);
});
