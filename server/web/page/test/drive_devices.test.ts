// Devices: dead zones, curves, pads, wheels and thumbs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curve, deadZone, travelled, type PadState } from '../src/drive/axes';
import { Calibration } from '../src/drive/calibration';
import { AT_REST, inCharge, type Device, type DeviceKind, type Wish } from '../src/drive/device';
import { counted, Gearbox } from '../src/drive/gearbox';
import { Keyboard } from '../src/drive/keyboard';
import { KeyMap, keyText } from '../src/drive/keymap';
import { Pad, padInput } from '../src/drive/pad';
import { PadMap } from '../src/drive/pad_map';
import { BRAKE_FEEL, Pedal, THROTTLE_FEEL } from '../src/drive/pedals';
import { MemoryStore } from '../src/drive/settings_store';
import { keepSetup, setupOf, steerOf, Wheel, type WheelSetup } from '../src/drive/wheel';

test('a dead zone swallows the centre, keeps the ends, and has no step at its edge', () => {
  assert.equal(deadZone(0.09, 0.1), 0);
  assert.equal(deadZone(-0.1, 0.1), 0);
  assert.ok(Math.abs(deadZone(0.101, 0.1)) < 0.002);
  assert.ok(Math.abs(deadZone(0.55, 0.1) - 0.5) < 1e-12);
  assert.equal(deadZone(-1, 0.1), -1);
  assert.equal(deadZone(1.02, 0.1), 1, 'some sticks go beyond their end');
  assert.equal(deadZone(NaN, 0.1), 0);
});

test('a curve is finer about the centre and the same at its ends, on both sides', () => {
  assert.equal(curve(0.5, 2), 0.25);
  assert.equal(curve(-0.5, 2), -0.25);
  assert.equal(curve(1, 1.6), 1);
  assert.equal(curve(-1, 1.6), -1);
});

test('a pedal may rest anywhere and go either way', () => {
  assert.equal(travelled(1, 1, -1), 0);
  assert.equal(travelled(-1, 1, -1), 1);
  assert.ok(Math.abs(travelled(0, 1, -1) - 0.5) < 1e-12);
  assert.ok(Math.abs(travelled(0.5, 0, 1) - 0.5) < 1e-12);
  assert.equal(travelled(0.98, 1, -1), 0, 'it never rests quite where it did');
  assert.equal(travelled(0.5, 0.5, 0.51), 0, 'no travel, no pedal');
});

function pad(axes: number[], down: Record<number, number> = {}, mapping = 'standard'): PadState {
  const buttons = Array.from({ length: 17 }, (_, i) => {
    const value = down[i] ?? 0;
    return { value, pressed: value > 0.5 };
  });
  return { id: 'a pad', index: 0, mapping, axes, buttons };
}

const USUAL = new PadMap(new MemoryStore());

test('a pad: stick to the left is to the left, triggers are pedals', () => {
  const input = padInput(pad([-1, 0, 0, 0], { 7: 0.5, 6: 1, 0: 1 }), USUAL);
  assert.equal(input.steer, 1);
  assert.ok(Math.abs(input.throttle - 0.479) < 0.001);
  assert.equal(input.brake, 1);
  assert.equal(input.handbrake, 1);
  assert.ok(padInput(pad([0.5, 0]), USUAL).steer > -0.3, 'half the way is less than half of it');
  assert.equal(padInput(pad([0.05, 0]), USUAL).steer, 0);
  assert.equal(padInput(pad([0, 0], { 15: 1 }), USUAL).steer, -1);
});

test('a button of a pad counts once however long it is held', () => {
  const wishes: Wish[] = [];
  const device = new Pad((wish) => wishes.push(wish), USUAL);
  const held = pad([0, 0], { 5: 1 });
  for (const state of [held, held, pad([0, 0]), held, pad([0, 0], { 3: 1 })]) device.look(state, 1);
  assert.deepEqual(wishes, ['shiftUp', 'shiftUp', 'reset']);
});

test('buttons of a pad do what one likes', () => {
  const store = new MemoryStore();
  const map = new PadMap(store);
  assert.equal(map.map('throttle', 14), false, 'the cross steers');
  assert.equal(map.map('throttle', 5), true);
  assert.equal(map.buttonOf('shiftUp'), -1, 'a button does one thing');
  const input = padInput(pad([0, 0], { 5: 1, 7: 1 }), map);
  assert.deepEqual([input.throttle, input.brake], [1, 0]);
  assert.equal(new PadMap(store).buttonOf('throttle'), 5, 'it is kept');
  const wishes: Wish[] = [];
  const device = new Pad((wish) => wishes.push(wish), map);
  map.map('reset', 9);
  for (const down of [{ 5: 1 }, { 3: 1 }, { 9: 1 }]) device.look(pad([0, 0], down), 1);
  assert.deepEqual(wishes, ['reset']);
  map.toDefaults();
  assert.equal(new PadMap(store).buttonOf('throttle'), 7);
  for (const bad of ['', '{}', '[]', '{"throttle":14}', '{"throttle":"7"}']) {
    store.set('apex.drive.pad', bad);
    assert.equal(new PadMap(store).buttonOf('brake'), 6, bad);
  }
});

class Still implements Device {
  constructor(
    readonly kind: DeviceKind,
    public ms: number,
  ) {}
  read(): typeof AT_REST {
    return AT_REST;
  }
  usedMs(): number {
    return this.ms;
  }
  release(): void {}
}

test('the device that was used last is in charge, unless one was chosen', () => {
  const keys = new Still('keys', -Infinity);
  const wheel = new Still('wheel', -Infinity);
  const both = [keys, wheel];
  assert.equal(inCharge(both, null, 'newest'), keys);
  wheel.ms = 5;
  assert.equal(inCharge(both, keys, 'newest'), wheel);
  keys.ms = 5;
  assert.equal(inCharge(both, wheel, 'newest'), wheel, 'no flutter');
  keys.ms = 6;
  assert.equal(inCharge(both, wheel, 'newest'), keys);
  assert.equal(inCharge(both, keys, 'wheel'), wheel);
  assert.equal(inCharge([keys], wheel, 'wheel'), keys, 'it was unplugged');
  assert.equal(inCharge([], wheel, 'newest'), null);
});

test('a stick that trembles takes nothing over from the keys', () => {
  const device = new Pad(() => {}, USUAL);
  device.look(pad([0.12, 0]), 10);
  device.look(pad([0.14, 0]), 20);
  assert.equal(device.usedMs(), -Infinity);
  device.look(pad([0.6, 0]), 30);
  assert.equal(device.usedMs(), 30);
});

test('of left and right the key pressed last counts; letting go brings back the other', () => {
  const keyboard = new Keyboard(new KeyMap(new MemoryStore()), () => {});
  keyboard.press('KeyA', false, 1);
  keyboard.press('ArrowRight', false, 2);
  assert.equal(keyboard.read().steer, -1);
  keyboard.lift('ArrowRight');
  assert.equal(keyboard.read().steer, 1);
  keyboard.press('KeyW', false, 3);
  assert.equal(keyboard.read().throttle, 1);
  keyboard.release();
  assert.deepEqual({ ...keyboard.read() }, { ...AT_REST });
  assert.equal(keyboard.usedMs(), 3);
});

test('a key that repeats wishes once, and an unknown key is left to the page', () => {
  const wishes: Wish[] = [];
  const keyboard = new Keyboard(new KeyMap(new MemoryStore()), (wish) => wishes.push(wish));
  assert.equal(keyboard.press('KeyR', false, 1), true);
  assert.equal(keyboard.press('KeyR', true, 2), true);
  keyboard.press('KeyE', false, 3);
  assert.equal(keyboard.press('KeyZ', false, 4), false);
  assert.deepEqual(wishes, ['reset', 'shiftUp']);
});

test('keys can be given away, are kept, and then have no other meaning', () => {
  const store = new MemoryStore();
  const map = new KeyMap(store);
  assert.equal(map.action('KeyA'), 'left');
  assert.equal(map.map('handbrake', 'KeyA'), true);
  assert.equal(map.map('reset', 'ControlLeft'), false, 'with W it closes the page');
  assert.equal(map.map('reset', 'Escape'), false);
  const again = new KeyMap(store);
  assert.equal(again.action('KeyA'), 'handbrake');
  assert.equal(again.action('Space'), null);
  assert.deepEqual(again.codesOf('left'), ['ArrowLeft']);
  assert.deepEqual(again.codesOf('reset'), ['KeyR']);
  again.toDefaults();
  assert.equal(new KeyMap(store).action('KeyA'), 'left');
});

test('keys that were kept badly are those of a new page', () => {
  const store = new MemoryStore();
  for (const text of ['{', '[]', '7', 'null']) {
    store.set('apex.drive.keys', text);
    assert.equal(new KeyMap(store).action('ArrowLeft'), 'left', text);
  }
  // Of an older page that knew less: what it says holds, the rest is as for a new one.
  store.set('apex.drive.keys', '{"left":["KeyR","Escape",7],"right":"x"}');
  const map = new KeyMap(store);
  assert.equal(map.action('KeyR'), 'left');
  assert.deepEqual(map.codesOf('left'), ['KeyR']);
  assert.deepEqual(map.codesOf('reset'), [], 'R is taken');
  assert.deepEqual(map.codesOf('right'), ['ArrowRight', 'KeyD']);
});

test('keys have names', () => {
  const codes = ['KeyW', 'ArrowLeft', 'Digit4', 'Numpad8', 'ShiftRight', 'PageUp'];
  assert.deepEqual(codes.map(keyText), ['W', '←', '4', 'Numpad 8', 'Right Shift', 'Page Up']);
});

test('a key is a foot: it takes its time, and lets go faster', () => {
  const throttle = new Pedal(THROTTLE_FEEL);
  throttle.step(1, 0.11);
  assert.ok(Math.abs(throttle.level - 0.5) < 1e-9);
  assert.equal(throttle.step(1, 0.2), 1);
  assert.ok(Math.abs(throttle.step(0, 0.05) - 0.5) < 1e-9);
  assert.ok(Math.abs(throttle.step(0.4, 0.001) - 0.49) < 1e-9, 'less is letting go');
  assert.equal(new Pedal(BRAKE_FEEL).step(1, BRAKE_FEEL.pressS), 1);
});

test('counters of the wire wrap', () => {
  assert.equal(counted(0), 1);
  assert.equal(counted(255), 0);
  const gearbox = new Gearbox();
  for (let i = 0; i < 257; i++) gearbox.shift(true);
  gearbox.shift(false);
  assert.deepEqual([gearbox.shiftUp, gearbox.shiftDown, gearbox.manual], [1, 1, true]);
  assert.equal(gearbox.step(1, 0, 30, false, 0.016).gear, 127);
});

test('who holds the brake while the car stands reverses, and throttle brakes then', () => {
  const gearbox = new Gearbox();
  const run = (throttle: number, brake: number, mps: number, held = false): object => {
    for (let i = 0; i < 20; i++) gearbox.step(throttle, brake, mps, held, 1 / 60);
    return gearbox.step(throttle, brake, mps, held, 1 / 60);
  };
  assert.deepEqual(run(0, 1, 20), { gear: 126, throttle: 0, brake: 1 });
  assert.deepEqual(run(0, 1, 0, true), { gear: 126, throttle: 0, brake: 1 }, 'on the grid');
  assert.deepEqual(run(0, 1, 0.1), { gear: -1, throttle: 1, brake: 0 });
  assert.deepEqual(run(1, 0, -5), { gear: -1, throttle: 0, brake: 1 }, 'still rolls back');
  assert.deepEqual(run(1, 0, -0.2), { gear: 126, throttle: 1, brake: 0 });
  // A short stop is none.
  for (let i = 0; i < 6; i++) gearbox.step(0, 1, 0, false, 1 / 60);
  assert.equal(gearbox.step(1, 0, 0, false, 1 / 60).gear, 126);
});

const G: WheelSetup = {
  steer: { input: 0, left: -1, right: 1 },
  throttle: { input: 2, rest: 1, full: -1 },
  brake: { input: 1, rest: 1, full: -1 },
  clutch: null,
  handbrake: { input: 9, rest: 0, full: 1 },
  shiftUp: 4,
  shiftDown: 5,
  reset: 7,
};

test('a wheel that is new tells what its axes are by being moved', () => {
  const calibration = new Calibration();
  const answer = (axes: number[], down: Record<number, number> = {}): string => {
    calibration.look(pad(axes, down, ''));
    calibration.next();
    return calibration.complaint;
  };
  assert.equal(answer([0.01, 1, 1]), '');
  assert.notEqual(answer([0.05, 1, 1]), '', 'nothing was turned');
  assert.equal(calibration.step, 'left');
  assert.equal(answer([-1, 1, 1]), '');
  assert.notEqual(answer([-0.95, 1, 1]), '', 'still left');
  assert.equal(answer([1, 1, 1]), '');
  assert.equal(answer([0.9, 1, -1]), '', 'the wheel may stand anywhere by now');
  assert.equal(calibration.maySkip, false);
  assert.equal(answer([0.9, -1, 1]), '');
  calibration.skip();
  assert.equal(answer([0, 1, 1], { 6: 1 }), '', 'a handbrake may be a button');
  assert.equal(answer([0, 1, 1], { 4: 1 }), '');
  assert.equal(answer([0, 1, 1], { 5: 1 }), '');
  assert.equal(calibration.setup(), null);
  assert.equal(answer([0, 1, 1], { 7: 1 }), '');
  assert.deepEqual(calibration.setup(), G);

  const store = new MemoryStore();
  keepSetup(store, 'G29', G);
  assert.deepEqual(setupOf(store, 'G29'), G);
  assert.equal(setupOf(store, 'T300'), null);
  store.set('apex.drive.wheel.G29', '{"steer":{"input":"x"}}');
  assert.equal(setupOf(store, 'G29'), null);
  const { handbrake, reset, ...older } = G; // set up when there was neither
  store.set('apex.drive.wheel.G29', JSON.stringify(older));
  assert.deepEqual(setupOf(store, 'G29'), { ...G, handbrake: null, reset: -1 });
});

test('a pedal that has never been seen at rest presses nothing', () => {
  const wheel = new Wheel(() => {});
  wheel.look(pad([0, 0, 0], {}, ''), G, 1); // as browsers have it before anything moves
  assert.equal(wheel.read().throttle, 0);
  assert.equal(wheel.usedMs(), -Infinity);
  wheel.look(pad([0, 1, 1], {}, ''), G, 2);
  wheel.look(pad([-0.5, 1, 0], {}, ''), G, 3);
  assert.equal(wheel.read().steer, 0.5);
  assert.ok(Math.abs(wheel.read().throttle - 0.5) < 1e-9);
  assert.equal(wheel.usedMs(), 3);
});

test('a paddle that is held since before counts when it is pressed again', () => {
  const wishes: Wish[] = [];
  const wheel = new Wheel((wish) => wishes.push(wish));
  const rest = [0, 1, 1];
  for (const down of [{ 5: 1 }, { 5: 1 }, {}, { 5: 1 }]) wheel.look(pad(rest, down, ''), G, 1);
  assert.deepEqual(wishes, ['shiftDown']);
});

test('a wheel turns as far as its ends, wherever its middle is', () => {
  assert.ok(Math.abs(steerOf(0.1, -0.8, 1)) < 1e-9);
  assert.equal(steerOf(-0.8, -0.8, 1), 1);
  assert.equal(steerOf(1, -0.8, 1), -1);
  assert.equal(steerOf(0.7, 0.7, -0.7), 1, 'and which way round');
});
