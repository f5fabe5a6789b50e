// Labels with the names of cars are placed so that they keep clear of each other and of buttons.

/** Something that wants its name beside it; pixels of the canvas. */
export interface LabelWish {
  car: number;
  right: number;
  down: number;
  gapPx: number; // between the middle of the car and the label
  widthPx: number;
  heightPx: number;
  must: boolean; // shown even over others
}

/** A part of the canvas; its upper left corner and its size. */
export interface Rect {
  right: number;
  down: number;
  widthPx: number;
  heightPx: number;
}

export interface PlacedLabel {
  right: number; // of its upper left corner
  down: number;
  slot: number; // -1: no room
}

const SLOTS = 4; // right above, left above, right below, left below
const SPOT_PX = 7; // of a car, that labels of others should leave free

/**
 * Finds room beside cars, the first wish first. A label that had room keeps its side while it can,
 * so that names don't jump about.
 */
export class LabelPlacer {
  readonly placed: PlacedLabel[] = [];
  private readonly slots = new Map<number, number>();
  private widthPx = Infinity;
  private heightPx = Infinity;
  private covered: readonly Rect[] = [];

  /** The area that labels should not reach beyond. */
  stayWithin(widthPx: number, heightPx: number): void {
    this.widthPx = widthPx;
    this.heightPx = heightPx;
  }

  /**
   * The parts of the map that something covers: a label below it could not be read, nor a button
   * below a label.
   */
  keepClear(covered: readonly Rect[]): void {
    this.covered = covered;
  }

  place(wishes: readonly LabelWish[], density = 1): readonly PlacedLabel[] {
    while (this.placed.length < wishes.length) this.placed.push({ right: 0, down: 0, slot: -1 });
    this.placed.length = wishes.length;
    for (let i = 0; i < wishes.length; i++) this.placeOne(wishes, i, density);
    return this.placed;
  }

  private placeOne(wishes: readonly LabelWish[], i: number, density: number): void {
    const wish = wishes[i]!;
    const out = this.placed[i]!;
    const before = this.slots.get(wish.car) ?? 0;
    let second = -1;
    out.slot = -1;
    for (let k = 0; k < SLOTS; k++) {
      const slot = (before + k) % SLOTS;
      put(wish, slot, out);
      if (this.leaves(wish, out) || this.meetsLabel(wishes, i, out)) continue;
      if (this.meetsCar(wishes, i, out, density)) {
        if (second < 0) second = slot;
        continue;
      }
      out.slot = slot;
      break;
    }
    if (out.slot < 0 && (second >= 0 || wish.must)) {
      out.slot = second >= 0 ? second : before;
      if (second < 0 || wish.must || this.slots.has(wish.car)) this.putWithin(wish, out.slot, out);
      else out.slot = -1;
    }
    if (out.slot >= 0) this.slots.set(wish.car, out.slot);
    else this.slots.delete(wish.car);
  }

  private meetsLabel(wishes: readonly LabelWish[], i: number, out: PlacedLabel): boolean {
    const { widthPx, heightPx } = wishes[i]!;
    for (let k = 0; k < i; k++) {
      const other = this.placed[k]!;
      if (
        other.slot >= 0 &&
        out.right < other.right + wishes[k]!.widthPx &&
        out.right + widthPx > other.right &&
        out.down < other.down + wishes[k]!.heightPx &&
        out.down + heightPx > other.down
      ) {
        return true;
      }
    }
    return false;
  }

  private putWithin(wish: LabelWish, slot: number, out: PlacedLabel): void {
    put(wish, slot, out);
    out.right = Math.max(0, Math.min(out.right, this.widthPx - wish.widthPx));
    out.down = Math.max(0, Math.min(out.down, this.heightPx - wish.heightPx));
    const cover = this.covered.find((rect) => meets(rect, wish, out));
    if (cover !== undefined) this.putBeside(wish, cover, out);
  }

  /** The shortest way out from below, that leads to where nothing else lies. */
  private putBeside(wish: LabelWish, cover: Rect, out: PlacedLabel): void {
    const { right, down } = out;
    const ways: [number, number][] = [
      [cover.right - wish.widthPx - right, 0],
      [cover.right + cover.widthPx - right, 0],
      [0, cover.down - wish.heightPx - down],
      [0, cover.down + cover.heightPx - down],
    ];
    ways.sort(([a, b], [c, d]) => Math.abs(a + b) - Math.abs(c + d));
    for (const [byRight, byDown] of ways) {
      out.right = right + byRight;
      out.down = down + byDown;
      if (!this.leaves(wish, out)) return;
    }
    out.right = right;
    out.down = down;
  }

  private leaves(wish: LabelWish, out: PlacedLabel): boolean {
    const { right, down } = out;
    const isIn = right >= 0 && right + wish.widthPx <= this.widthPx;
    if (!isIn || down < 0 || down + wish.heightPx > this.heightPx) return true;
    return this.covered.some((rect) => meets(rect, wish, out));
  }

  private meetsCar(
    wishes: readonly LabelWish[],
    i: number,
    out: PlacedLabel,
    density: number,
  ): boolean {
    const { widthPx, heightPx } = wishes[i]!;
    const spot = SPOT_PX * density;
    for (let k = 0; k < wishes.length; k++) {
      const other = wishes[k]!;
      if (
        k !== i &&
        other.right > out.right - spot &&
        other.right < out.right + widthPx + spot &&
        other.down > out.down - spot &&
        other.down < out.down + heightPx + spot
      ) {
        return true;
      }
    }
    return false;
  }

  clear(): void {
    this.slots.clear();
  }
}

function meets(rect: Rect, { widthPx, heightPx }: LabelWish, out: PlacedLabel): boolean {
  return (
    out.right < rect.right + rect.widthPx &&
    out.right + widthPx > rect.right &&
    out.down < rect.down + rect.heightPx &&
    out.down + heightPx > rect.down
  );
}

function put(wish: LabelWish, slot: number, out: PlacedLabel): void {
  const away = wish.gapPx * 0.75;
  out.right = slot % 2 === 0 ? wish.right + away : wish.right - away - wish.widthPx;
  out.down = slot < 2 ? wish.down - away - wish.heightPx : wish.down + away;
}

/** A car that may get a label. */
export interface LabelChoice {
  car: number;
  position: number;
}

/**
 * Chooses the cars whose names are shown: those looked at, then by place in the race, at most
 * `most`. In a crowd only few do: a map full of names shows nothing else.
 */
export function chooseLabels(
  seen: readonly LabelChoice[],
  first: readonly number[],
  most: number,
): number[] {
  const chosen = [...new Set(first)].filter((car) => seen.some((choice) => choice.car === car));
  const rest = seen.filter((choice) => !chosen.includes(choice.car));
  rest.sort((a, b) => a.position - b.position || a.car - b.car);
  for (const { car } of rest) {
    if (chosen.length >= most) break;
    chosen.push(car);
  }
  return chosen;
}

export function labelsMost(cars: number): number {
  return cars <= 30 ? 30 : cars <= 200 ? 16 : 10;
}
