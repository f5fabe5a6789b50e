// The answers of a made-up server with two races and three recordings. The operator's token is
// "secret".
const races = [
  {
    id: 1,
    name: 'Three laps of Ridgeway',
    track: 'ridgeway',
    phase: 'race',
    race_time_s: 95.2,
    laps: 3,
    players: 24,
    player_capacity: 32,
    clients: 29,
    tick_hz: 60,
    password_needed: false,
    cars: ['boxster-s'],
    live: '/race/1',
  },
  {
    id: 2,
    name: 'Night practice',
    track: 'oval',
    phase: 'lobby',
    race_time_s: 0,
    laps: 0,
    players: 1,
    player_capacity: 32,
    clients: 1,
    tick_hz: 60,
    password_needed: true,
    cars: ['formula'],
    live: '/race/2',
  },
];
const now = Date.now() / 1000;
const replays = [
  {
    name: 'sunday.apexr',
    bytes: 4_812_000,
    modified_s: now - 7200,
    race: 'Sunday sprint',
    track: 'ridgeway',
    ticks: 32400,
    tick_hz: 60,
    cars: ['boxster-s'],
  },
  {
    name: 'oval 24.apexr',
    bytes: 812_000,
    modified_s: now - 300000,
    race: 'Oval, 24 cars',
    track: 'oval',
    ticks: null,
    tick_hz: 60,
    cars: ['formula'],
  },
  {
    name: 'old.apexr',
    bytes: 90_000,
    modified_s: now - 9e6,
    race: null,
    track: null,
    ticks: null,
    cars: [],
    error: 'recorded with physics 3, this server has 5; play it with the version that recorded it',
  },
];
const names = ['Ada Lovelace', 'Bot 2', 'Bot 3', 'Grace Hopper', 'Bot 5', 'Bot 6'];
const status = {
  phase: 'race',
  race_number: 4,
  race_time_s: 95.2,
  uptime_s: 93784,
  players: 6,
  clients: 9,
  ticks: {
    count: 99,
    p50_us: 312,
    p99_us: 1240,
    max_us: 18200,
    late_p99_us: 220,
    late_max_us: 900,
  },
  ticks_last_s: {
    count: 60,
    p50_us: 300,
    p99_us: 800,
    max_us: 900,
    late_p99_us: 100,
    late_max_us: 200,
  },
  ticks_dropped: 0,
  stages_s: {
    receive: 1,
    ingest: 2,
    step: 20,
    store: 1,
    capture: 2,
    encode: 8,
    send: 4,
    record: 1,
  },
  cpu_s: 1823,
  strain: 0,
  strain_text: 'none',
  controls: { on_tick: 99120, repeated: 320, late: 30, early: 2, depth_p50_ticks: 2 },
  refusals: { controls_late: 30, bad_name: 2 },
  sessions: { opened: 40, welcomed: 38, messages_in: 812345, messages_out: 1234567 },
  transport: { packets_in: 99999, bytes_in: 123456789 },
  store: { waiting: 0, committed: 812, failing: false },
  order: names.map((name, i) => ({
    position: i + 1,
    player: 65537 + i,
    name,
    car: 'boxster-s',
    laps: 2,
    best_lap_s: 91.2 + i,
    present: i < 5,
    driven_by_server: name.startsWith('Bot'),
    connected: !name.startsWith('Bot'),
    lost: i === 3,
    address: name.startsWith('Bot') ? null : '203.0.113.7',
    driver: i === 0 ? 'df34250704abcdf8ccae1da7fb55dc49' : null,
    guest: i === 3,
  })),
};

export async function answerOf(path, request) {
  if (path === '/api/races') return [200, races];
  if (path === '/api/replays') return [200, replays];
  if (request.headers.authorization !== 'Bearer secret') {
    return [401, { error: 'the token is not the one this server was started with' }];
  }
  if (path.endsWith('/status')) return [200, status];
  let body = '';
  for await (const part of request) body += part;
  return [200, { done: `${path.split('/').pop()} ${body}` }];
}
