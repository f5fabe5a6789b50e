// The ground is painted in tiles, a few milliseconds a frame, and kept by scale.
import type { Projection } from './camera';
import { isClear, type Theme } from './colours';
import { Skid, type SkidRing } from './skid_marks';
import { paintTrack } from './track_painter';
import type { Box, TrackPlan } from './track_plan';

const TILE_PX = 512;
const GUTTER_PX = 1; // tiles overlap, so that no seam shows when they are turned
const TILES_MAX = 56;
const COARSE_PX = 1400; // the longer side of the whole map, for where tiles are not ready
const COARSE_ROAD_PX = 5; // it is seen from near as well as from far
const SETTLE_MS = 90; // a scale that stays for so long gets tiles of its own
const PAINT_MS = 5; // of a frame, for new tiles
const REFRESH_MS = 12_000; // for skids to fade in steps
const SKID_LIFE_MS = 150_000;
const SKID_TILES = 2; // that take new strokes in one frame

class Tile {
  readonly canvas = document.createElement('canvas');
  readonly g: CanvasRenderingContext2D;
  box: Box = { west: 0, south: 0, east: 0, north: 0 };
  skidsTo = 0; // strokes of the ring that are on it
  skids = false;
  pendingSkids = false;
  paintedMs = 0;
  usedFrame = 0;

  constructor(
    readonly column: number,
    readonly row: number,
    alpha: boolean,
  ) {
    this.canvas.width = TILE_PX + 2 * GUTTER_PX;
    this.canvas.height = TILE_PX + 2 * GUTTER_PX;
    this.g = this.canvas.getContext('2d', { alpha })!;
  }
}

/** Tiles of one scale. */
interface Layer {
  pxPerM: number;
  tiles: Map<number, Tile>;
}

function keyOf(column: number, row: number): number {
  return (column + 32768) * 65536 + row + 32768;
}

/** The track and the marks on it, painted once in squares and put together for each frame. */
export class Tiles {
  private current: Layer = { pxPerM: 0, tiles: new Map() };
  private before: Layer | null = null;
  private coarse: HTMLCanvasElement | null = null;
  private coarseBox: Box = { west: 0, south: 0, east: 1, north: 1 };
  private terrain: HTMLCanvasElement | null = null;
  private frame = 0;
  private scaleSinceMs = 0;
  private scaleSeen = 0;
  private budgetMs = 0;
  private refreshedMs = 0;
  private missing = 0;
  private readonly view: Box = { west: 0, south: 0, east: 0, north: 0 };
  density = 1;
  /** Narrower no road is drawn. To be set before what is painted with it. */
  roadPxMin = 0;
  /** True: tiles that lie askew are not smoothed. */
  isRough = false;

  constructor(
    private readonly skids: SkidRing,
    private plan: TrackPlan | null = null,
    private theme: Theme | null = null,
  ) {}

  /** Paints everything anew. */
  use(plan: TrackPlan | null, theme: Theme, terrain: HTMLCanvasElement | null): void {
    this.plan = plan;
    this.theme = theme;
    this.drop();
    this.terrain = terrain;
  }

  /** Gives back what bitmaps take. */
  drop(): void {
    this.current = { pxPerM: 0, tiles: new Map() };
    this.before = null;
    this.coarse = null;
    this.terrain = null;
  }

  draw(g: CanvasRenderingContext2D, p: Projection, nowMs: number): void {
    const { plan, theme } = this;
    if (plan === null || theme === null) return;
    this.frame++;
    this.budgetMs = PAINT_MS;
    this.lookThrough(p, g.canvas.width, g.canvas.height);
    this.settle(p, nowMs);
    this.paintMissing(nowMs);
    this.takeSkids(nowMs);
    g.setTransform(1, 0, 0, 1, 0, 0);
    if (isClear(theme.land)) g.clearRect(0, 0, g.canvas.width, g.canvas.height);
    g.imageSmoothingEnabled = !this.isRough;
    if (this.missing > 0) this.drawBelow(g, p, plan, theme);
    this.drawSet(g, p, this.current);
    g.imageSmoothingEnabled = true;
    g.setTransform(1, 0, 0, 1, 0, 0);
    this.evict();
  }

  private drawBelow(
    g: CanvasRenderingContext2D,
    p: Projection,
    plan: TrackPlan,
    theme: Theme,
  ): void {
    g.fillStyle = theme.land;
    g.fillRect(0, 0, g.canvas.width, g.canvas.height);
    const coarse = (this.coarse ??= this.paintCoarse(plan, theme));
    const { west, south, east, north } = this.coarseBox;
    g.setTransform(p.xx, p.yx, -p.xy, -p.yy, p.right0, p.down0);
    g.drawImage(coarse, west, -north, east - west, north - south);
    if (this.before) this.drawSet(g, p, this.before);
  }

  /** Finds the part of the world that is seen. */
  private lookThrough(p: Projection, widthPx: number, heightPx: number): void {
    const scale2 = p.pxPerM * p.pxPerM;
    const { view } = this;
    view.west = view.south = Infinity;
    view.east = view.north = -Infinity;
    for (let corner = 0; corner < 4; corner++) {
      const right = (corner & 1 ? widthPx : 0) - p.right0;
      const down = (corner & 2 ? heightPx : 0) - p.down0;
      const x = (p.xx * right + p.yx * down) / scale2;
      const y = (p.xy * right + p.yy * down) / scale2;
      view.west = Math.min(view.west, x);
      view.east = Math.max(view.east, x);
      view.south = Math.min(view.south, y);
      view.north = Math.max(view.north, y);
    }
  }

  private settle(p: Projection, nowMs: number): void {
    if (Math.abs(p.pxPerM - this.scaleSeen) > 1e-9) {
      this.scaleSeen = p.pxPerM;
      this.scaleSinceMs = nowMs;
    }
    const wanted = this.current.pxPerM;
    if (p.pxPerM === wanted) return;
    const ratio = wanted > 0 ? p.pxPerM / wanted : 0;
    const far = ratio < 0.45 || ratio > 2.4;
    if (wanted > 0 && !far && nowMs - this.scaleSinceMs < SETTLE_MS) return;
    if (this.current.tiles.size > 0) this.before = this.current;
    this.current = { pxPerM: p.pxPerM, tiles: new Map() };
  }

  /** New tiles from the middle outwards, as many as there is time for; at least one. */
  private paintMissing(nowMs: number): void {
    const spanM = TILE_PX / this.current.pxPerM;
    const fromColumn = Math.floor(this.view.west / spanM);
    const toColumn = Math.floor(this.view.east / spanM);
    const fromRow = Math.floor(-this.view.north / spanM);
    const toRow = Math.floor(-this.view.south / spanM);
    this.missing = 0;
    const startMs = performance.now();
    let painted = 0;
    const middleColumn = (fromColumn + toColumn) / 2;
    const middleRow = (fromRow + toRow) / 2;
    for (let ring = 0; ring < 12; ring++) {
      for (let row = fromRow; row <= toRow; row++) {
        for (let column = fromColumn; column <= toColumn; column++) {
          const away = Math.max(Math.abs(column - middleColumn), Math.abs(row - middleRow));
          if (Math.floor(away) !== ring) continue;
          const tile = this.current.tiles.get(keyOf(column, row));
          if (tile) {
            tile.usedFrame = this.frame;
            continue;
          }
          if (painted > 0 && performance.now() - startMs > this.budgetMs) {
            this.missing++;
            continue;
          }
          this.make(column, row, nowMs);
          painted++;
        }
      }
    }
    this.budgetMs -= performance.now() - startMs;
    if (this.missing === 0) this.before = null;
  }

  private make(column: number, row: number, nowMs: number): void {
    const tile = new Tile(column, row, isClear(this.theme!.land));
    tile.usedFrame = this.frame;
    const spanM = TILE_PX / this.current.pxPerM;
    const gutterM = GUTTER_PX / this.current.pxPerM;
    tile.box.west = column * spanM - gutterM;
    tile.box.east = (column + 1) * spanM + gutterM;
    tile.box.north = -row * spanM + gutterM;
    tile.box.south = -(row + 1) * spanM - gutterM;
    this.current.tiles.set(keyOf(column, row), tile);
    this.paint(tile, nowMs);
  }

  private paint(tile: Tile, nowMs: number): void {
    const { g, box } = tile;
    const { pxPerM } = this.current;
    g.setTransform(pxPerM, 0, 0, -pxPerM, -box.west * pxPerM, box.north * pxPerM);
    const { density, terrain, roadPxMin } = this;
    const paint = { g, theme: this.theme!, box, pxPerM, density, terrain, roadPxMin };
    paintTrack(paint, this.plan!);
    tile.skidsTo = this.skids.oldest;
    tile.skids = false;
    tile.paintedMs = nowMs;
    this.strokeSkids(tile, nowMs);
  }

  private paintCoarse(plan: TrackPlan, theme: Theme): HTMLCanvasElement {
    const { west, south, east, north } = plan.outline.bounds;
    const marginM = 0.1 * Math.max(east - west, north - south);
    const box = {
      west: west - marginM,
      south: south - marginM,
      east: east + marginM,
      north: north + marginM,
    };
    const pxPerM = COARSE_PX / Math.max(box.east - box.west, box.north - box.south, 1);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round((box.east - box.west) * pxPerM));
    canvas.height = Math.max(1, Math.round((box.north - box.south) * pxPerM));
    const g = canvas.getContext('2d', { alpha: isClear(theme.land) })!;
    g.setTransform(pxPerM, 0, 0, -pxPerM, -box.west * pxPerM, box.north * pxPerM);
    const paint = { g, theme, box, pxPerM, density: 1, terrain: this.terrain };
    paintTrack({ ...paint, roadPxMin: COARSE_ROAD_PX }, plan);
    this.coarseBox = box;
    return canvas;
  }

  private drawSet(g: CanvasRenderingContext2D, p: Projection, set: Layer): void {
    const k = 1 / set.pxPerM;
    const sharp = p.turnRad === 0 && p.pxPerM === set.pxPerM;
    if (sharp) g.setTransform(1, 0, 0, 1, p.right0, p.down0);
    else g.setTransform(p.xx * k, p.yx * k, -p.xy * k, -p.yy * k, p.right0, p.down0);
    for (const tile of set.tiles.values()) {
      if (!this.seen(tile.box)) continue;
      const right = tile.column * TILE_PX - GUTTER_PX;
      g.drawImage(tile.canvas, right, tile.row * TILE_PX - GUTTER_PX);
    }
  }

  private seen(box: Box): boolean {
    const { view } = this;
    return (
      box.west < view.east &&
      box.east > view.west &&
      box.south < view.north &&
      box.north > view.south
    );
  }

  /** Brings new strokes onto the tiles that are seen, some in each frame. */
  private takeSkids(nowMs: number): void {
    let left = SKID_TILES;
    for (const tile of this.current.tiles.values()) {
      if (left === 0) break;
      if (tile.skidsTo === this.skids.added || !this.seen(tile.box)) continue;
      if (this.strokeSkids(tile, nowMs)) left--;
    }
    if (nowMs - this.refreshedMs < 120 || this.missing > 0) return;
    for (const tile of this.current.tiles.values()) {
      const due = tile.skids && nowMs - tile.paintedMs > REFRESH_MS && this.seen(tile.box);
      if (!due) continue;
      this.refreshedMs = nowMs;
      this.paint(tile, nowMs);
      return;
    }
  }

  /** The strokes that a tile has not had yet; false if none lie on it. */
  private strokeSkids(tile: Tile, nowMs: number): boolean {
    const { values } = this.skids;
    const { west, south, east, north } = tile.box;
    const { g } = tile;
    const widthMinM = (0.7 * this.density) / this.current.pxPerM;
    let any = false;
    const from = Math.max(tile.skidsTo, this.skids.oldest);
    for (let i = from; i < this.skids.added; i++) {
      const at = this.skids.at(i);
      const x0 = values[at + Skid.x0]!;
      const y0 = values[at + Skid.y0]!;
      if (x0 < west - 8 || x0 > east + 8 || y0 < south - 8 || y0 > north + 8) continue;
      const age = (nowMs - values[at + Skid.bornMs]!) / SKID_LIFE_MS;
      if (age > 0.97) continue;
      if (!any) g.lineCap = 'butt';
      any = true;
      const dirt = values[at + Skid.dirt] === 1;
      g.strokeStyle = dirt ? this.theme!.dirt : this.theme!.skid;
      g.globalAlpha = (1 - age) * (0.12 + 0.5 * values[at + Skid.strength]!);
      g.lineWidth = Math.max(values[at + Skid.widthM]!, widthMinM);
      g.beginPath();
      g.moveTo(x0, y0);
      g.lineTo(values[at + Skid.x1]!, values[at + Skid.y1]!);
      g.stroke();
    }
    g.globalAlpha = 1;
    tile.skidsTo = this.skids.added;
    tile.skids ||= any;
    return any;
  }

  private evict(): void {
    const { tiles } = this.current;
    if (tiles.size <= TILES_MAX) return;
    for (const [key, tile] of tiles) {
      if (tile.usedFrame < this.frame) tiles.delete(key);
      if (tiles.size <= TILES_MAX) break;
    }
  }
}
