import './strips.css';
import { Pose, POSE_FIELDS, type Session, type TrackOutline } from '../race/race';
import type { Selection } from '../ui/selection';
import type { View } from '../ui/view';
import type { Theme } from './colours';
import { nearestCar } from './elevation';
import { Field, type CarInfo } from './field';
import { LapFinder } from './lap_finder';
import { StripCanvas } from './strip_canvas';

const MARGIN_PX = 14;
const LABEL_PX = 30; // apart from each other
const LABELS_MAX = 40;

interface Spot {
  car: number;
  right: number;
  info: CarInfo | undefined;
}

/** The lap as a straight line with every car on it: who is how far from whom. */
export class LineMap implements View {
  readonly element: HTMLElement;
  private readonly strip: StripCanvas;
  private readonly field = new Field();
  private finder: LapFinder | null = null;
  private outline: TrackOutline | null = null;
  private readonly spots: Spot[] = [];

  constructor(private readonly selection: Selection) {
    this.strip = new StripCanvas('map-strip map-line', 'The lap as a line', (right) =>
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

  tick(session: Session, nowMs: number): void {
    const outline = session.track();
    if (outline === null || outline.lengthM <= 0 || outline.centre.length < 6) return;
    if (outline !== this.outline) {
      this.outline = outline;
      this.finder = new LapFinder(outline);
      this.strip.stale = true;
    }
    this.field.look(session, nowMs);
    this.strip.draw(
      (g, theme) => this.paintLine(g, theme),
      (g, theme) => this.paintCars(g, theme),
    );
  }

  private rightOf(lapM: number): number {
    const room = this.strip.widthPx - 2 * MARGIN_PX;
    return MARGIN_PX + (room * lapM) / this.outline!.lengthM;
  }

  private get middlePx(): number {
    return this.strip.heightPx / 2;
  }

  private paintLine(g: CanvasRenderingContext2D, theme: Theme): void {
    const { lengthM, sectorM, finishM } = this.outline!;
    const from = this.rightOf(0);
    const to = this.rightOf(lengthM);
    g.fillStyle = theme.road;
    g.beginPath();
    g.roundRect(from - 5, this.middlePx - 5, to - from + 10, 10, 5);
    g.fill();
    g.fillStyle = theme.sector;
    for (const end of sectorM) {
      if (end < lengthM - 1) g.fillRect(this.rightOf(end) - 1, this.middlePx - 8, 2, 16);
    }
    const squarePx = 3;
    for (const lap of this.outline!.closed ? [finishM, finishM + lengthM] : [finishM]) {
      if (lap > lengthM + 1) continue;
      for (let k = 0; k < 6; k++) {
        g.fillStyle = k % 2 === 0 ? '#ffffff' : '#000000';
        g.fillRect(this.rightOf(lap) - squarePx, this.middlePx + (k - 3) * 3, squarePx, 3);
        g.fillStyle = k % 2 === 0 ? '#000000' : '#ffffff';
        g.fillRect(this.rightOf(lap), this.middlePx + (k - 3) * 3, squarePx, 3);
      }
    }
  }

  private paintCars(g: CanvasRenderingContext2D, theme: Theme): void {
    const { field, selection } = this;
    const own = field.ownAt >= 0 ? field.rows[field.ownAt * POSE_FIELDS + Pose.car]! : 0;
    this.placeSpots(own);
    const radius = field.count > 300 ? 2.5 : 4.5;
    for (let i = this.spots.length - 1; i >= 0; i--) {
      const { car, right, info } = this.spots[i]!;
      const ring = car === own ? theme.own : car === selection.car ? theme.accent : '';
      g.beginPath();
      g.arc(right, this.middlePx, ring ? 6 : radius, 0, 2 * Math.PI);
      g.fillStyle = info && !info.dnf ? info.livery.colour : theme.dnf;
      g.fill();
      g.strokeStyle = ring || theme.outline;
      g.lineWidth = ring ? 2.5 : 1;
      g.stroke();
    }
    this.writeNames(g, theme, own);
  }

  /** Those looked at first, then by place in the race. */
  private placeSpots(own: number): void {
    const { field, selection, spots } = this;
    spots.length = 0;
    for (let i = 0; i < field.count; i++) {
      const at = i * POSE_FIELDS;
      const { rows } = field;
      const car = rows[at + Pose.car]!;
      const z = rows[at + Pose.z]!;
      const lapM = this.finder!.find(car, rows[at + Pose.x]!, rows[at + Pose.y]!, z);
      const right = this.rightOf(lapM);
      spots.push({ car, right, info: field.infoOf(car) });
    }
    const rank = ({ car, info }: Spot): number =>
      car === own ? -2 : car === selection.car ? -1 : (info?.position ?? Infinity);
    spots.sort((a, b) => rank(a) - rank(b) || a.car - b.car);
  }

  /** Above and below in turns, where there is room. */
  private writeNames(g: CanvasRenderingContext2D, theme: Theme, own: number): void {
    const taken: [number[], number[]] = [[], []];
    g.textAlign = 'center';
    g.textBaseline = 'middle';
    for (const { car, right, info } of this.spots.slice(0, LABELS_MAX)) {
      if (info === undefined) continue;
      const free = (side: 0 | 1): boolean =>
        taken[side].every((other) => Math.abs(other - right) > LABEL_PX);
      const side = free(0) ? 0 : free(1) ? 1 : -1;
      if (side < 0) continue;
      taken[side as 0 | 1].push(right);
      const strong = car === own || car === this.selection.car;
      g.font = `${strong ? 700 : 500} 11px system-ui, sans-serif`;
      g.fillStyle = car === own ? theme.own : strong ? theme.accent : theme.ink;
      g.fillText(info.code, right, this.middlePx + (side === 0 ? -18 : 19));
    }
  }

  private pick(right: number): void {
    const car = nearestCar(this.field, this.finder, (lapM) => Math.abs(this.rightOf(lapM) - right));
    if (car !== 0) this.selection.choose(car);
  }
}
