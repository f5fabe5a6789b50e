// Outlines of tracks are read from the library's memory.
import type { Instance } from './instance';
import type { TrackOutline } from './race';
import type { TrackCache } from './track_cache';

/** The place of numbers in memory: address and count. */
type Place = [number, number];

/** As page_outline writes it (client-lite/wasm/write_track.c): of arrays it says where they lie. */
type Written<T> = T extends Float64Array | Float32Array | Uint8Array
  ? Place
  : { [Key in keyof T]: Written<T[Key]> };

type WrittenOutline = Omit<Written<TrackOutline>, 'grid'> & { grid: Place };

/** The place of the track's definition, and the name of its content; null until it is here. */
export function trackDefPlace(instance: Instance): { hash: string; bytes: Place } | null {
  const length = instance.calls.track_def();
  if (length === 0) return null;
  const text = instance.text(instance.calls.text_bytes(), length);
  return JSON.parse(text) as { hash: string; bytes: Place };
}

/**
 * The track as it is drawn; null until its definition is here. The same object for every session of
 * a race: a spectator who takes the wheel finds its track drawn.
 */
export function outlineOf(
  instance: Instance,
  playerCapacity: number,
  tracks: TrackCache,
): TrackOutline | null {
  const place = trackDefPlace(instance);
  if (place === null) return null;
  const key = `${place.hash} ${playerCapacity}`; // which the boxes of the grid go by
  return tracks.outline(key, () => readOutline(instance));
}

function readOutline(instance: Instance): TrackOutline | null {
  const length = instance.calls.outline();
  if (length === 0) return null;
  const text = instance.text(instance.calls.text_bytes(), length);
  const written = JSON.parse(text) as WrittenOutline;
  const outline = copy(instance, written);
  instance.calls.outline_done();
  return outline;
}

function copy(instance: Instance, written: WrittenOutline): TrackOutline {
  // Nothing is called meanwhile, so memory does not grow.
  const numbers = ([at, count]: Place): Float64Array => instance.numbers(at, count).slice();
  return {
    ...written,
    left: numbers(written.left),
    right: numbers(written.right),
    centre: numbers(written.centre),
    lapM: numbers(written.lapM),
    heightM: numbers(written.heightM),
    strips: written.strips.map(({ surface, points }) => ({ surface, points: numbers(points) })),
    walls: written.walls.map(({ material, points }) => ({ material, points: numbers(points) })),
    pitLane: numbers(written.pitLane),
    grid: boxes(numbers(written.grid)),
    terrain: written.terrain && terrain(instance, written.terrain),
  };
}

function boxes(numbers: Float64Array): TrackOutline['grid'] {
  const grid: TrackOutline['grid'] = [];
  for (let i = 0; i + 2 < numbers.length; i += 3) {
    const [x = 0, y = 0, yaw = 0] = numbers.subarray(i, i + 3);
    grid.push({ x, y, yaw });
  }
  return grid;
}

function terrain(
  instance: Instance,
  written: NonNullable<WrittenOutline['terrain']>,
): NonNullable<TrackOutline['terrain']> {
  const [heightsAt, heightsCount] = written.heights;
  const [surfacesAt, surfacesCount] = written.surfaces;
  return {
    ...written,
    heights: instance.floats(heightsAt, heightsCount).slice(),
    // Without a map all of it is the one surface.
    surfaces:
      surfacesCount > 0
        ? instance.bytes(surfacesAt, surfacesCount).slice()
        : new Uint8Array(written.columns * written.rows),
  };
}
