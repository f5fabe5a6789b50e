// Standings, events and wheels for tests, with a few fields changed.
import type { RaceEvent, Standing, Standings, WheelTelemetry } from '../src/race/race';

export function standing(changes: Partial<Standing>): Standing {
  return {
    position: 1,
    player: 1,
    name: 'Ada Lovelace',
    carDef: 'boxster-s',
    state: 'running',
    laps: 0,
    lapM: 0,
    lastLapUs: 0,
    bestLapUs: 0,
    totalUs: 0,
    gapUs: 0,
    grid: 1,
    sector: 0,
    sectorUs: [0, 0, 0],
    bestSectorUs: [0, 0, 0],
    ...changes,
  };
}

export function standings(lines: Standing[], bestSectorUs: number[] = [0, 0, 0]): Standings {
  return { tick: 1, total: lines.length, bestSectorUs, lines };
}

export function event(changes: Partial<RaceEvent>): RaceEvent {
  return {
    kind: 'joined',
    tick: 600,
    raceNumber: 1,
    player: 1,
    other: 0,
    value: 0,
    timeUs: 0,
    name: '',
    otherName: '',
    ...changes,
  };
}

export function wheel(changes: Partial<WheelTelemetry>): WheelTelemetry {
  return {
    loadN: 4000,
    slipRatio: 0,
    slipAngleRad: 0,
    forceLongN: 0,
    forceLatN: 0,
    friction: 1,
    spinRadps: 0,
    temperatureC: 80,
    surface: 0,
    sliding: false,
    ...changes,
  };
}
