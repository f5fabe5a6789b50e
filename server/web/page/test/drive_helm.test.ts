// The helm and the settings: from devices to controls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AT_REST, type Device, type DeviceInput, type DeviceKind } from '../src/drive/device';
import { Helm, type Situation } from '../src/drive/helm';
import { Outlook } from '../src/drive/outlook';
import { blow, steadyShake } from '../src/drive/rumble';
import {
  cleanName,
  guestName,
  keepSettings,
  loadSettings,
  unitOfPlace,
} from '../src/drive/settings';
import { voices } from '../src/drive/sound';
import { MemoryStore } from '../src/drive/settings_store';
import { thumbPedal, thumbSteer, tiltDeg, tiltSteer } from '../src/drive/touch_levels';
import { CAR } from './bicycle';

class Hand implements Device {
  input: DeviceInput = { ...AT_REST };

  constructor(readonly kind: DeviceKind) {}
  read(): DeviceInput {
    return this.input;
  }
  usedMs(): number {
    return 0;
  }
  release(): void {}
}

const settings = loadSettings(new MemoryStore(), 0, 'km/h');

function at(forwardMps: number): Situation {
  return { motion: { forwardMps, leftMps: 0, yawRateRadps: 0 }, car: CAR, held: false };
}

test('keys are softened, a wheel and a pedal are taken as they are', () => {
  const helm = new Helm();
  const wheel = new Hand('wheel');
  wheel.input = { steer: 0.4, throttle: 0.7, brake: 0, clutch: 0.5, handbrake: 0 };
  helm.step(wheel, at(55), { ...settings, wheelGain: 2 }, 1 / 60);
  assert.equal(helm.controls.steer, 0.8);
  assert.equal(helm.controls.throttle, 0.7);
  assert.equal(helm.controls.clutch, 0.5);
  helm.step(wheel, at(55), { ...settings, wheelGain: 4 }, 1 / 60);
  assert.equal(helm.controls.steer, 1, 'no farther than the lock');

  helm.letGo();
  const keys = new Hand('keys');
  keys.input = { ...AT_REST, steer: 1, throttle: 1 };
  helm.step(keys, at(55), settings, 1 / 60);
  assert.ok(helm.controls.steer > 0 && helm.controls.steer < 0.02, `${helm.controls.steer}`);
  assert.ok(helm.controls.throttle < 0.1);
  for (let i = 0; i < 60; i++) helm.step(keys, at(55), settings, 1 / 60);
  assert.equal(helm.controls.throttle, 1);
  assert.ok(helm.controls.steer < 0.2, `${helm.controls.steer}: a fifth of the lock is too much`);
});

test('a page that is left lets go of everything, but not of its counters', () => {
  const helm = new Helm();
  const keys = new Hand('keys');
  keys.input = { steer: -1, throttle: 1, brake: 1, clutch: 1, handbrake: 1 };
  helm.wish('reset');
  helm.wish('shiftUp');
  for (let i = 0; i < 30; i++) helm.step(keys, at(20), settings, 1 / 60);
  helm.letGo();
  const { steer, throttle, brake, clutch, handbrake, reset, shiftUp } = helm.controls;
  assert.deepEqual([steer, throttle, brake, clutch, handbrake], [0, 0, 0, 0, 0]);
  assert.deepEqual([reset, shiftUp], [1, 1]);
  helm.reset();
  helm.wish('reset');
  helm.step(null, at(0), settings, 1 / 60);
  assert.equal(helm.controls.reset, 2, 'a new car counts on');
});

test('reversing swaps the pedals, and aids are told', () => {
  const helm = new Helm();
  const keys = new Hand('keys');
  keys.input = { ...AT_REST, brake: 1 };
  for (let i = 0; i < 60; i++) helm.step(keys, at(0), { ...settings, aidsOff: 5 }, 1 / 60);
  assert.deepEqual([helm.controls.gear, helm.controls.throttle, helm.controls.brake], [-1, 1, 0]);
  assert.equal(helm.controls.aidsOff, 5);
});

test('settings come back, and broken ones are as for a new page', () => {
  const store = new MemoryStore();
  const kept = { ...settings, name: 'Ada', help: false, unit: 'mph' as const, wheelGain: 2.5 };
  keepSettings(store, kept);
  assert.deepEqual(loadSettings(store, 0.5, 'km/h'), kept);
  store.set('apex.drive.settings', '{"name":7,"device":"broom","wheelGain":99,"aidsOff":-1}');
  const broken = loadSettings(store, 0.5, 'mph');
  assert.deepEqual(broken, { ...settings, name: guestName(0.5), unit: 'mph' });
  assert.equal(guestName(0), 'Guest 100');
  assert.equal(guestName(0.9999), 'Guest 999');
});

test('a name is cut to what the wire takes, not within a letter', () => {
  assert.equal(cleanName('  Ada \u0000\n Lovelace '), 'Ada Lovelace');
  assert.equal(cleanName('\u200b \t'), '');
  const long = cleanName('ä'.repeat(40));
  assert.equal(new TextEncoder().encode(long).length, 30);
  assert.equal(cleanName('a'.repeat(40)).length, 31);
  assert.equal(cleanName(`${'a'.repeat(29)}🏁`), 'a'.repeat(29));
});

test('miles where people drive by them, whatever their browser speaks', () => {
  assert.equal(unitOfPlace('en-US', 'America/Chicago'), 'mph');
  assert.equal(unitOfPlace('en-US', 'Europe/Berlin'), 'km/h');
  assert.equal(unitOfPlace('pt-BR', 'America/Sao_Paulo'), 'km/h');
  assert.equal(unitOfPlace('de', 'Europe/London'), 'mph');
});

test('a thumb steers by how far it went, and presses by how high it is', () => {
  assert.equal(thumbSteer(100, 100, 90), 0);
  assert.equal(thumbSteer(100, 190, 90), -1, 'to the right');
  assert.equal(thumbSteer(100, -300, 90), 1);
  assert.ok(thumbSteer(100, 55, 90) < 0.5, 'fine about the centre');
  assert.equal(thumbPedal(0, 200, 20), 1);
  assert.ok(Math.abs(thumbPedal(0, 200, 125) - 0.5) < 1e-9);
  assert.equal(thumbPedal(0, 200, 260), 0.15, 'slid off its lower end');
});

test('a phone turned like a wheel steers, upright and on its side', () => {
  const near = (deg: number | null, expected: number): void => {
    assert.ok(deg !== null && Math.abs(deg - expected) < 1e-6, `${deg}, not ${expected}`);
  };
  near(tiltDeg(90, 0, 0), 0);
  near(tiltDeg(0, -90, 90), 0);
  near(tiltDeg(20, -90, 90), 20); // its right side went down
  near(tiltDeg(-20, -90, 90), -20);
  near(tiltDeg(0, 90, 270), 0);
  near(tiltDeg(-20, 90, 270), 20);
  assert.equal(tiltDeg(5, 3, 0), null, 'flat on a table');
  assert.equal(tiltSteer(1), 0);
  assert.equal(tiltSteer(40), -1);
  assert.ok(tiltSteer(-16) > 0.4 && tiltSteer(-16) < 0.5);
});

test('more of the road is seen at speed, in steps that do not flutter', () => {
  const outlook = new Outlook();
  assert.equal(outlook.look(0), true);
  const slow = outlook.aheadM;
  assert.equal(outlook.look(5), false);
  outlook.look(60);
  assert.ok(outlook.aheadM > 150 && outlook.aheadM < 260, `${outlook.aheadM}`);
  const fast = outlook.aheadM;
  let changes = 0;
  for (let i = 0; i < 600; i++) if (outlook.look(58 + 4 * Math.sin(i / 5))) changes++;
  assert.ok(changes <= 1, `${changes} changes about one speed`);
  assert.ok(fast > 3 * slow);
  outlook.look(0);
  assert.equal(outlook.aheadM, slow);
});

test('blows shake by their size, grass by its speed, and nothing does not', () => {
  assert.equal(blow(24000).strong, 1);
  assert.ok(blow(500).strong > 0.2 && blow(500).strong < 0.4);
  assert.ok(blow(24000).ms > blow(500).ms);
  assert.equal(steadyShake(0, false, 50), null);
  assert.equal(steadyShake(1, true, 0), null, 'it stands');
  assert.ok(steadyShake(0, true, 40)!.strong > 0.4);
});

test('an engine of four cylinders fires twice a turn; one that stands is silent', () => {
  const idle = voices({ rpm: 900, throttle: 0, speedMps: 0, slide: 0 });
  const full = voices({ rpm: 6000, throttle: 1, speedMps: 60, slide: 0.5 });
  assert.equal(full.hz, 200);
  assert.ok(full.brightHz > 2 * idle.brightHz && full.engine > idle.engine);
  assert.equal(idle.wind + idle.skid, 0);
  assert.equal(full.skid, 0.25);
  assert.equal(voices({ rpm: 0, throttle: 1, speedMps: 0, slide: 0 }).engine, 0);
});
