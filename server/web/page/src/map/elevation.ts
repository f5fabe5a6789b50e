import './strips.css';
import { Pose, POSE_FIELDS, type Session, type TrackOutline } from '../race/race';
import type { Selection } from '../ui/selection';
import type { View } from '../ui/view';
import { Words } from '../ui/words';
import type { Theme } from './colours';
import { Field } from './field';
import { LapFinder } from './lap_finder';
import { StripCanvas } from './strip_canvas';

const MARGIN_PX = 10;
const TOP_PX = 16; // for names and dots above the highest place
const BOTTOM_PX = 16; // for distances
const LEVEL_M = 6; // less between lowest and highest is drawn as nearly level
const CARS_MAX = 400;

/** The lap's heights from the line to the line, with the cars on them. */
export class Elevation implements View {
  readonly element: HTMLElement;
  private readonly strip: StripCanvas;
  private readonly field = new Field();
  private readonly words = new Words();
  private finder: LapFinder | null = null;
  private outline: TrackOutline | null = null;
  private low = 0;
  private high = 1;

  constructor(private readonly selection: Selection) {
    this.strip = new StripCanvas('map-strip map-elevation', 'Heights along the lap', (right) =>
      this.pick(right),
    );
    this.element = this.strip.element;
  }

  reset(): void {
    this.field.forget();
    this.outline = null;
    this.finder = null;
    this.strip.stale = true;
  }

  end(): void {
    this.strip.end();
  }

  tick(session: Session, nowMs: number): void {
    const outline = session.track();
    if (outline === null || outline.lengthM <= 0 || outline.centre.length < 6) return;
    if (outline !== this.outline) this.measure(outline);
    this.field.look(session, nowMs);
    this.strip.draw(
      (g, theme) => this.paintGround(g, theme),
      (g, theme) => this.paintCars(g, theme),
    );
  }

  private measure(outline: TrackOutline): void {
    this.outline = outline;
    this.finder = new LapFinder(outline);
    this.low = Math.min(...outline.heightM);
    this.high = Math.max(...outline.heightM);
    const more = LEVEL_M - (this.high - this.low);
    if (more > 0) this.high += more;
    const text = `Heights along the lap: ${(this.high - this.low).toFixed(0)} metres between ` +
      'the lowest and the highest place';
    this.strip.describe(text);
    this.strip.stale = true;
  }

  private rightOf(lapM: number): number {
    const room = this.strip.widthPx - 2 * MARGIN_PX;
    return MARGIN_PX + (room * lapM) / this.outline!.lengthM;
  }

  private downOf(heightM: number): number {
    const room = this.strip.heightPx - TOP_PX - BOTTOM_PX;
    return TOP_PX + room * (1 - (heightM - this.low) / (this.high - this.low));
  }

  private trace(g: CanvasRenderingContext2D): void {
    const { lapM, heightM } = this.outline!;
    g.beginPath();
    for (let i = 0; i < lapM.length; i++) {
      g.lineTo(this.rightOf(lapM[i]!), this.downOf(heightM[i]!));
    }
    const { closed, lengthM } = this.outline!;
    if (closed) g.lineTo(this.rightOf(lengthM), this.downOf(heightM[0]!));
  }

  private paintGround(g: CanvasRenderingContext2D, theme: Theme): void {
    const { sectorM, lengthM } = this.outline!;
    const bottom = this.strip.heightPx - BOTTOM_PX;
    this.trace(g);
    g.lineTo(this.rightOf(lengthM), bottom);
    g.lineTo(this.rightOf(0), bottom);
    g.closePath();
    g.fillStyle = theme.grass;
    g.fill();
    this.trace(g);
    g.strokeStyle = theme.road;
    g.lineWidth = 3;
    g.lineJoin = 'round';
    g.stroke();
    g.fillStyle = theme.ink;
    g.globalAlpha = 0.65;
    g.font = '10px system-ui, sans-serif';
    g.textBaseline = 'alphabetic';
    const everyM = lengthM > 8000 ? 2000 : lengthM > 2500 ? 1000 : 500;
    for (let at = everyM; at < lengthM; at += everyM) {
      g.textAlign = 'center';
      g.fillText(`${at / 1000} km`, this.rightOf(at), this.strip.heightPx - 4);
      g.fillRect(this.rightOf(at), bottom, 1, 3);
    }
    g.textAlign = 'left';
    g.fillText(`${(this.high - this.low).toFixed(0)} m`, MARGIN_PX, 10);
    g.globalAlpha = 1;
    g.fillStyle = theme.sector;
    for (const end of sectorM) {
      if (end > lengthM - 1) continue;
      g.fillRect(this.rightOf(end) - 0.5, TOP_PX - 4, 1.5, bottom - TOP_PX + 4);
    }
  }

  private paintCars(g: CanvasRenderingContext2D, theme: Theme): void {
    const { field, selection } = this;
    const own = field.ownAt >= 0 ? field.rows[field.ownAt * POSE_FIELDS + Pose.car]! : 0;
    const first = Math.max(0, field.count - CARS_MAX);
    for (let i = field.count - 1; i >= first; i--) this.paintCar(g, theme, i, 3.4, '');
    for (const [car, colour] of [[selection.car, theme.accent], [own, theme.own]] as const) {
      const i = car === 0 ? -1 : field.indexOf(car);
      if (i >= 0) this.paintCar(g, theme, i, 5, colour);
    }
  }

  private paintCar(
    g: CanvasRenderingContext2D,
    theme: Theme,
    i: number,
    radius: number,
    ring: string,
  ): void {
    const at = i * POSE_FIELDS;
    const { rows } = this.field;
    const car = rows[at + Pose.car]!;
    const lapM = this.finder!.find(car, rows[at + Pose.x]!, rows[at + Pose.y]!, rows[at + Pose.z]!);
    const info = this.field.infoOf(car);
    g.beginPath();
    g.arc(this.rightOf(lapM), this.downOf(this.finder!.heightAt(lapM)) - 4, radius, 0, 2 * Math.PI);
    g.fillStyle = info && !info.dnf ? info.livery.colour : theme.dnf;
    g.fill();
    g.strokeStyle = ring || theme.outline;
    g.lineWidth = ring ? 2.4 : 1;
    g.stroke();
    if (!ring || !info) return;
    const look = { font: '600 10px system-ui, sans-serif', heightPx: 14, colour: theme.ink };
    const down = Math.max(8, this.downOf(this.finder!.heightAt(lapM)) - 14);
    this.words.write(g, info.code, look, this.rightOf(lapM), down);
  }

  private pick(right: number): void {
    const car = nearestCar(this.field, this.finder, (lapM) => Math.abs(this.rightOf(lapM) - right));
    if (car !== 0) this.selection.choose(car);
  }
}

/** The car with the least distance, if that is within a finger's reach. */
export function nearestCar(
  field: Field,
  finder: LapFinder | null,
  awayPx: (lapM: number) => number,
): number {
  let best = 0;
  let bestPx = 24;
  for (let i = 0; i < field.count && finder; i++) {
    const at = i * POSE_FIELDS;
    const car = field.rows[at + Pose.car]!;
    const lapM = finder.find(
      car,
      field.rows[at + Pose.x]!,
      field.rows[at + Pose.y]!,
      field.rows[at + Pose.z]!,
    );
    const px = awayPx(lapM);
    if (px >= bestPx) continue;
    bestPx = px;
    best = car;
  }
  return best;
}
