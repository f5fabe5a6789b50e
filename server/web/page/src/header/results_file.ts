// Results as files to save: CSV and JSON.
import type { Results, Standing } from '../race/race';

const COLUMNS: readonly [string, (line: Standing) => string | number][] = [
  ['position', (line) => line.position],
  ['name', (line) => line.name],
  ['car', (line) => line.carDef],
  ['state', (line) => line.state],
  ['laps', (line) => line.laps],
  ['total_s', (line) => seconds(line.totalUs)],
  ['gap_s', (line) => seconds(line.gapUs)],
  ['best_lap_s', (line) => seconds(line.bestLapUs)],
  ['last_lap_s', (line) => seconds(line.lastLapUs)],
  ['grid', (line) => line.grid],
  ['kicked', (line) => (line.kicked === true ? 1 : 0)],
];

/** The fields that differ in the line of a driver who never took the start. */
const APART: Record<string, () => string | number> = {
  position: () => '',
  state: () => 'did not start',
};

function seconds(us: number): string | number {
  return us > 0 ? us / 1e6 : '';
}

/** A field of CSV. Names come from strangers: spreadsheets must not take one for a formula. */
export function csvField(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function resultsCsv(results: Results): string {
  const rows = [COLUMNS.map(([name]) => name).join(',')];
  for (const line of results.lines) {
    rows.push(COLUMNS.map(([, of]) => csvField(of(line))).join(','));
  }
  for (const line of results.apart ?? []) {
    const fields = COLUMNS.map(([name, of]) => (APART[name] ?? of)(line));
    rows.push(fields.map(csvField).join(','));
  }
  return rows.join('\r\n') + '\r\n';
}

export function resultsJson(results: Results): string {
  const lines = results.lines.map((line) =>
    Object.fromEntries(COLUMNS.map(([name, of]) => [name, of(line) === '' ? null : of(line)])),
  );
  const { raceNumber, track, laps, seed } = results;
  const apart = results.apart ?? [];
  const absent = apart.map(({ name, carDef, kicked }) => ({ name, car: carDef, kicked: !!kicked }));
  const file = { race_number: raceNumber, track, laps, seed, lines, did_not_start: absent };
  return JSON.stringify(file, null, 2) + '\n';
}

/** A name for the file: "apex-ridgeway-race-3.csv". */
export function resultsFileName(results: Results, ending: string): string {
  const track = results.track
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `apex-${track === '' ? 'race' : `${track}-race`}-${results.raceNumber}.${ending}`;
}

/** Points of interest: the best lap of all, and the driver who made up most places. */
export function highlights(results: Results): { best: Standing | null; climber: Standing | null } {
  let best: Standing | null = null;
  let climber: Standing | null = null;
  for (const line of results.lines) {
    if (line.bestLapUs > 0 && (best === null || line.bestLapUs < best.bestLapUs)) best = line;
    if (line.state !== 'finished' || line.grid <= line.position) continue;
    if (climber === null || won(line) > won(climber)) climber = line;
  }
  return { best, climber };
}

function won(line: Standing): number {
  return line.grid - line.position;
}
