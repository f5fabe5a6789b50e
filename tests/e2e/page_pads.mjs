#!/usr/bin/env node
// Driving by a gamepad and by a wheel with pedals, as browsers report them; neither is here, so the
// page is given what navigator.getGamepads would say. A wheel's axes have no layout: it is set up by
// being moved, its pedals rest at 1 and end at -1.
import {
  complaints, expect, expectThat, FEW_FRAMES, openBrowser, openPage, RACE, run, startServer,
  takeTheWheel, until, untilPageIs,
} from './lib.mjs';

/** Runs in the page: pads that the test moves by window.pads. */
function plugIn() {
  const pad = (id, index, mapping, axes, buttons) => ({
    id, index, mapping, connected: true, timestamp: 0, axes,
    buttons: Array.from({ length: buttons }, () => ({ value: 0, pressed: false, touched: false })),
  });
  window.pads = {
    plugged: [],
    add(kind) {
      this.plugged.push(kind === 'pad'
        ? pad('Standard pad', 0, 'standard', [0, 0, 0, 0], 17)
        // Steering, clutch, throttle, brake, as a Driving Force has them.
        : pad('Racing wheel', 1, '', [0, 1, 1, 1], 12));
    },
    axis(of, index, value) {
      this.plugged[of].axes[index] = value;
      this.plugged[of].timestamp = performance.now();
    },
    button(of, index, value) {
      this.plugged[of].buttons[index] = { value, pressed: value > 0.5, touched: value > 0 };
      this.plugged[of].timestamp = performance.now();
    },
  };
  navigator.getGamepads = () => window.pads.plugged;
}

const axis = (page, of, index, value) =>
  page.evaluate((args) => window.pads.axis(...args), [of, index, value]);
const button = (page, of, index, value) =>
  page.evaluate((args) => window.pads.button(...args), [of, index, value]);

/** The motion of the own car, which is the first of all: columns of a pose. */
const car = (page) => page.evaluate(() => {
  const session = window.apex.session();
  const { values: pose } = session.poses(performance.now());
  return pose[0] !== session.car() ? null : {
    steer: pose[11], throttle: pose[14], brake: pose[15],
    speedMps: Math.hypot(pose[7], pose[8]),
  };
});

const soon = (what, page, holds) =>
  until(what, 5, async () => {
    const now = await car(page);
    return now !== null && holds(now) && now;
  });

/** As soon, and where the road wheels have come to rest. */
const soonAtRest = (what, page, holds) => {
  let before = null;
  return soon(what, page, (now) => {
    const rests = before !== null && Math.abs(now.steer - before.steer) < 0.01;
    before = now;
    return rests && holds(now);
  });
};

async function drivesByPad(page) {
  await page.evaluate(() => window.pads.add('pad'));
  await button(page, 0, 7, 1);
  await soon('the right trigger is the throttle', page, (now) => now.throttle > 0.95);
  await soon('it drives', page, (now) => now.speedMps > 3);
  expectThat('the display names the gamepad',
    /Gamepad/.test(await page.locator('.drive').innerText()));
  await axis(page, 0, 0, -1);
  await soon('the stick to the left steers left', page, (now) => now.steer > 0.05);
  await axis(page, 0, 0, 1);
  await soon('and to the right', page, (now) => now.steer < -0.05);
  await axis(page, 0, 0, 0.05);
  await soon('a stick that is worn does not', page, (now) => Math.abs(now.steer) < 0.02);
  await button(page, 0, 7, 0);
  await button(page, 0, 6, 1);
  await soon('the left trigger brakes', page, (now) => now.brake > 0.95);
  await button(page, 0, 6, 0);
}

/** In the dialog: the throttle goes to a shoulder button. */
async function changesButtons(page) {
  await page.getByRole('button', { name: 'How you drive' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('summary', { hasText: 'Gamepad' }).click();
  await dialog.getByRole('button', { name: /^Throttle: RT/ }).click();
  await dialog.getByRole('button', { name: 'Throttle: Press a button' }).waitFor();
  await button(page, 0, 5, 1);
  await dialog.getByRole('button', { name: /^Throttle: RB/ }).waitFor({ timeout: 3000 });
  await dialog.getByRole('button', { name: 'Gear up: none' }).waitFor({ timeout: 1000 });
  await button(page, 0, 5, 0);
  await dialog.getByRole('button', { name: 'Done', exact: true }).last().click();
  await button(page, 0, 5, 1);
  await soon('the shoulder is the throttle now', page, (now) => now.throttle > 0.95);
  await button(page, 0, 5, 0);
  await soon('nothing is pressed', page, (now) => now.throttle < 0.05);
}

/** Moves it as the dialog asks, one step after the other. */
async function setsUpTheWheel(page) {
  await page.evaluate(() => window.pads.add('wheel'));
  await page.getByRole('button', { name: 'How you drive' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('summary', { hasText: 'Wheel and pedals' }).click();
  const panel = dialog.locator('.drive-wheel');
  await panel.getByRole('button', { name: 'Set up the wheel' }).click();
  const next = async (says, act, word = 'Done') => {
    await panel.getByText(says).waitFor({ timeout: 3000 });
    await act();
    await panel.getByRole('button', { name: word, exact: true }).click();
  };
  const pressed = (index) => async () => {
    for (const pedal of [1, 2, 3]) await axis(page, 1, pedal, pedal === index ? -1 : 1);
  };
  const held = (index) => async () => {
    for (const each of [4, 5, 8]) await button(page, 1, each, each === index ? 1 : 0);
  };
  await next(/^1 of 10/, () => axis(page, 1, 0, 0.01));
  await next(/all the way to the left/, () => axis(page, 1, 0, -0.9));
  await next(/all the way to the right/, () => axis(page, 1, 0, 0.9));
  await next(/throttle all the way/, pressed(2));
  await next(/brake all the way/, pressed(3));
  await next(/clutch all the way/, pressed(1));
  await next(/handbrake/, pressed(-1), 'Skip');
  await next(/shifts up/, held(4));
  await next(/shifts down/, held(5));
  await next(/back onto the track/, held(8));
  await panel.getByText('The wheel is set up.').waitFor({ timeout: 3000 });
  await held(-1)();
  await axis(page, 1, 0, 0);
  await dialog.locator('.drive-ends').getByRole('button', { name: 'Done' }).click();
}

async function drivesByWheel(server, page) {
  await axis(page, 1, 2, -1);
  await soon('the pedal is the throttle', page, (now) => now.throttle > 0.95);
  await axis(page, 1, 2, 0);
  await soon('half of it is half', page, (now) => Math.abs(now.throttle - 0.5) < 0.1);
  await axis(page, 1, 0, -0.9);
  const left = await soonAtRest('the wheel steers left', page, (now) => now.steer > 0.2);
  await axis(page, 1, 0, 0.9);
  await soon('and as far to the right', page, (now) => Math.abs(now.steer + left.steer) < 0.1);
  await axis(page, 1, 0, 0);
  await axis(page, 1, 2, 1);
  await axis(page, 1, 3, -1);
  await soon('the brake brakes', page, (now) => now.brake > 0.95 && now.throttle < 0.05);
  expectThat('the display names the wheel', /Wheel/.test(await page.locator('.drive').innerText()));
  await axis(page, 1, 3, 1);
  const resets = () => server.child.log.split('Fangio: reset').length - 1; // rules make some, too
  const before = resets();
  await button(page, 1, 8, 1);
  await until('the button puts it back onto the track', 3, () => resets() > before);
}

await run(async () => {
  const server = await startServer('server', { race: RACE.replace('lobby_s: 1', 'lobby_s: 0') });
  await openBrowser();
  const page = await openPage('about:blank', FEW_FRAMES);
  await page.addInitScript(plugIn);
  await page.goto(server.url, { waitUntil: 'commit' });
  await untilPageIs('spectating', page);
  await takeTheWheel(page, 'Fangio');
  await until('the race', 20, () =>
    page.evaluate(() => window.apex.session().raceState()?.phase === 'race'));
  await drivesByPad(page);
  await changesButtons(page);
  await setsUpTheWheel(page);
  await drivesByWheel(server, page);
  expect('complaints of the console', complaints, []);
});
