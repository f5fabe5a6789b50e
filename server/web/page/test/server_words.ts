/** Messages of a server, written by hand for tests: proto/wire.proto by its numbers. */

/** 32 bits of a float, 64 of a fixed number. */
export class Fixed {
  constructor(
    readonly bytes: Uint8Array,
    readonly wire: number,
  ) {}
}

type Value = number | bigint | boolean | string | Uint8Array | Fixed;

function varint(out: number[], value: bigint): void {
  let left = BigInt.asUintN(64, value);
  while (left > 127n) {
    out.push(Number(left & 127n) | 128);
    left >>= 7n;
  }
  out.push(Number(left));
}

/** sint32 and sint64 as they are written. */
export const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

export function float(value: number): Fixed {
  return new Fixed(new Uint8Array(Float32Array.of(value).buffer), 5);
}

export function fixed64(value: bigint): Fixed {
  return new Fixed(new Uint8Array(BigUint64Array.of(value).buffer), 1);
}

export function encode(fields: [number, Value][]): Uint8Array<ArrayBuffer> {
  const out: number[] = [];
  const bytes = (number: number, of: Uint8Array): void => {
    varint(out, BigInt(number * 8 + 2));
    varint(out, BigInt(of.length));
    out.push(...of);
  };
  for (const [number, value] of fields) {
    if (typeof value === 'string') bytes(number, new TextEncoder().encode(value));
    else if (value instanceof Uint8Array) bytes(number, value);
    else if (value instanceof Fixed) out.push(number * 8 + value.wire, ...value.bytes);
    else {
      varint(out, BigInt(number * 8));
      varint(out, BigInt(value));
    }
  }
  return Uint8Array.from(out);
}

/** The numbers and values of a message's fields, those inside as bytes. */
export function decode(bytes: Uint8Array): Map<number, (bigint | Uint8Array)[]> {
  const fields = new Map<number, (bigint | Uint8Array)[]>();
  let at = 0;
  const read = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const take = (length: number): Uint8Array => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const tag = Number(read());
    const wire = tag & 7;
    let value: bigint | Uint8Array;
    if (wire === 0) value = read();
    else value = take(wire === 1 ? 8 : wire === 5 ? 4 : Number(read()));
    const list = fields.get(tag >> 3) ?? [];
    list.push(value);
    fields.set(tag >> 3, list);
  }
  return fields;
}

export const KIND = {
  welcome: 1,
  reject: 2,
  joined: 3,
  snapshot: 6,
  telemetry: 7,
  raceEvent: 9,
  raceState: 10,
  roster: 11,
  standings: 12,
  notice: 14,
  goodbye: 15,
  playback: 16,
  pastEvents: 17,
} as const;

/** A whole message of a server. */
export function say(kind: keyof typeof KIND, fields: [number, Value][]): Uint8Array<ArrayBuffer> {
  return encode([[KIND[kind], encode(fields)]]);
}

/** One without definitions, so that nothing need be fetched. */
export function welcome(more: [number, Value][] = []): Uint8Array<ArrayBuffer> {
  return say('welcome', [
    [1, 3], // the version that the client speaks
    [2, 'a server'],
    [3, new Uint8Array(16).fill(7)],
    [4, 60],
    [5, 20],
    [6, 1000],
    [7, 1000],
    [8, 'A race'],
    [9, 5],
    [10, 24],
    [14, 60],
    ...more,
  ]);
}

/** A car in a snapshot: metres and metres a second. */
export function car(id: number, xM: number, yM: number, vxMps: number): Uint8Array<ArrayBuffer> {
  return encode([
    [1, id],
    [2, zigzag(Math.round(1000 * xM))],
    [3, zigzag(Math.round(1000 * yM))],
    [8, zigzag(Math.round(100 * vxMps))],
    [13, 3000],
    [14, zigzag(2)],
    [15, 255],
    [17, 8],
    [18, 51],
  ]);
}

export function snapshot(tick: number, cars: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return say('snapshot', [
    [1, tick],
    [2, 3],
    [5, 1],
    ...cars.map((bytes): [number, Value] => [8, bytes]),
  ]);
}
