// Writes src/race/numbers.ts: the numbers and names that the page shares with C, read from the
// headers that give them: node numbers.js [--check]. The file is checked in, so that types and
// tests of the page need no build; --check, and with it `npm test`, fails when it is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PAGE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(PAGE, '../../..');
const OUT = join(PAGE, 'src/race/numbers.ts');
const WASM = 'client-lite/wasm/exports.h';
const WIRE = 'proto/proto.h';
const RACE = 'proto/race_numbers.h';
const LIMITS = 'proto/wire_limits.h';
const PHYSICS = 'server/physics/physics.h';

/** Of "12u" and "1u << 3"; NaN of what is more than that. */
function valueOf(text) {
  const [, base, shift] = /^(-?\d+)u?(?:\s*<<\s*(\d+))?$/.exec(text) ?? [];
  return base === undefined ? NaN : Number(base) * 2 ** Number(shift ?? 0);
}

/** Enumerators of a header, in order and by name, with their numbers. */
function enumeratorsOf(header) {
  const text = readFileSync(join(ROOT, header), 'utf8').replace(/\/\/.*|\/\*[^]*?\*\//g, '');
  const numbers = new Map();
  for (const [, body] of text.matchAll(/\benum\s*\w*\s*\{([^}]*)\}/g)) {
    let next = 0;
    for (const item of body.split(',').map((each) => each.trim())) {
      if (item === '') continue;
      const [, name, value] = /^(\w+)(?:\s*=\s*(.+))?$/.exec(item) ?? [];
      if (name === undefined) throw new Error(`${header}: cannot read "${item}"`);
      if (value !== undefined) next = valueOf(value);
      numbers.set(name, next++);
    }
  }
  return numbers;
}

const headers = new Map();

function numbersIn(header) {
  if (!headers.has(header)) headers.set(header, enumeratorsOf(header));
  return headers.get(header);
}

function numberOf(header, name) {
  const number = numbersIn(header).get(name);
  if (!Number.isInteger(number)) throw new Error(`${header}: no plain number ${name}`);
  return number;
}

/** [rest of the name, number] of the enumerators from one to another, or with a prefix. */
function series(header, prefix, first, last) {
  const names = [...numbersIn(header).keys()];
  const from = first === undefined ? 0 : names.indexOf(first);
  const to = last === undefined ? names.length : names.indexOf(last);
  const found = names.slice(from, to).filter((name) => name.startsWith(prefix));
  if (from < 0 || to < 0 || found.length === 0) throw new Error(`${header}: no ${prefix}*`);
  return found.map((name) => [name.slice(prefix.length).toLowerCase(), numberOf(header, name)]);
}

function camel(name) {
  return name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}

/** An object of numbers by name. */
function table(name, pairs) {
  const lines = pairs.map(([key, number]) => `  ${camel(key)}: ${number},\n`);
  return `export const ${name} = {\n${lines.join('')}} as const;\n`;
}

/** As the library's texts call them. */
function words(pairs) {
  return pairs.map(([key]) => `'${key.replaceAll('_', '-')}'`);
}

function union(name, pairs) {
  return `export type ${name} =\n${words(pairs).map((word) => `  | ${word}`).join('\n')};\n`;
}

/** Names by number, which must count from 0. */
function list(name, type, pairs) {
  if (pairs.some(([, number], i) => number !== i)) throw new Error(`${name}: numbers with gaps`);
  const lines = words(pairs).map((word) => `  ${word},\n`);
  return `export const ${name}: readonly ${type}[] = [\n${lines.join('')}];\n`;
}

/** Each as a type, and as the names by number. */
function named(type, names, prefix, end) {
  const pairs = series(RACE, prefix, undefined, end);
  return [union(type, pairs), list(names, type, pairs)];
}

function raceControl() {
  return [
    named('Offence', 'OFFENCES', 'APEX_WIRE_OFFENCE_'),
    named('PenaltyKind', 'PENALTY_KINDS', 'APEX_WIRE_PENALTY_', 'APEX_WIRE_PENALTY_KINDS'),
    named('PenaltyState', 'PENALTY_STATES', 'APEX_WIRE_PENALTY_STATE_'),
    named('Flag', 'FLAGS', 'APEX_WIRE_FLAG_'),
    named('SessionKind', 'SESSION_KINDS', 'APEX_WIRE_SESSION_', 'APEX_WIRE_SESSION_KINDS'),
    named('PitPhase', 'PIT_PHASES', 'APEX_WIRE_PIT_', 'APEX_WIRE_PIT_PHASES'),
    named('ResultStatus', 'RESULT_STATUSES', 'APEX_WIRE_RESULT_', 'APEX_WIRE_RESULT_STATUSES'),
  ].flat();
}

function written() {
  const states = series('client-lite/client.h', 'APEX_CLIENT_', 'APEX_CLIENT_IDLE');
  return [
    '// Numbers and names that the page shares with C, written by numbers.js from the headers that\n' +
      '// give them: change those, and run `node numbers.js`.\n',
    '// client-lite/client.h\n',
    union('State', states),
    list('STATES', 'State', states),
    '// client-lite/wasm/exports.h\n',
    table('Wish', series(WASM, 'PAGE_', 'PAGE_SPECTATES', 'PAGE_STATUS')),
    table('Subject', series(WASM, 'PAGE_', 'PAGE_STATUS', 'PAGE_SUBJECTS')),
    `export const SUBJECTS = ${numberOf(WASM, 'PAGE_SUBJECTS')};\n`,
    table('Stat', series(WASM, 'PAGE_', 'PAGE_RTT_MS', 'PAGE_STATS')),
    `export const STATS = ${numberOf(WASM, 'PAGE_STATS')};\n`,
    '/** Columns of a row of Poses. */\n' +
      table('Pose', series(WASM, 'PAGE_POSE_', 'PAGE_POSE_CAR', 'PAGE_POSE_FIELDS')),
    `export const POSE_FIELDS = ${numberOf(WASM, 'PAGE_POSE_FIELDS')};\n`,
    '/** Columns of a row of touches. */\n' +
      table('TouchField', series(WASM, 'PAGE_TOUCH_', 'PAGE_TOUCH_CAR', 'PAGE_TOUCH_FIELDS')),
    `export const TOUCH_FIELDS = ${numberOf(WASM, 'PAGE_TOUCH_FIELDS')};\n`,
    table('Control', series(WASM, 'PAGE_', 'PAGE_STEER', 'PAGE_CONTROLS')),
    `export const CONTROLS = ${numberOf(WASM, 'PAGE_CONTROLS')};\n`,
    '// The headers of proto\n',
    union('Phase', series(RACE, 'APEX_WIRE_PHASE_')),
    union('EventKind', series(RACE, 'APEX_WIRE_EVENT_')),
    union('StandingState',
      series(RACE, 'APEX_WIRE_STANDING_', undefined, 'APEX_WIRE_STANDING_STATES')),
    ...raceControl(),
    '/** Bits of the flags of a car. */\n' +
      table('CarFlag', series('proto/car_flags.h', 'APEX_CAR_FLAG_')),
    table('Play', series(WIRE, 'APEX_PLAY_', 'APEX_PLAY_KEEP', 'APEX_CLIENT_HELLO')),
    '/** An impulse from which on a contact is called hard. */\n' +
      `export const CONTACT_HARD_NS = ${numberOf(LIMITS, 'APEX_CONTACT_HARD_NS')};\n`,
    '/** Of a name on the wire, with the zero that ends it. */\n' +
      `export const NAME_BYTES = ${numberOf(LIMITS, 'APEX_WIRE_NAME_BYTES')};\n`,
    '/** Of a key of a server or a driver, and of a challenge. */\n' +
      `export const KEY_BYTES = ${numberOf(LIMITS, 'APEX_WIRE_KEY_BYTES')};\n`,
    `export const SIGNATURE_BYTES = ${numberOf(LIMITS, 'APEX_WIRE_SIGNATURE_BYTES')};\n`,
    '/** Of the fingerprint of a driver. */\n' +
      `export const DRIVER_BYTES = ${numberOf(LIMITS, 'APEX_WIRE_DRIVER_BYTES')};\n`,
    '/** Of a token of a lobby, at most. */\n' +
      `export const TOKEN_BYTES_MAX = ${numberOf(LIMITS, 'APEX_WIRE_LOBBY_TOKEN_BYTES')};\n`,
    '// server/physics/physics.h\n',
    table('Gear', series(PHYSICS, 'APEX_GEAR_')),
    '/** Bits of Controls.aidsOff. */\n' + table('Aid', series(PHYSICS, 'APEX_AID_')),
  ].join('\n');
}

if (process.argv.includes('--check')) {
  if (readFileSync(OUT, 'utf8') !== written()) {
    console.error('src/race/numbers.ts is stale: run `node numbers.js`');
    process.exit(1);
  }
} else {
  writeFileSync(OUT, written());
}
