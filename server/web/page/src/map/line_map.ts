// The line map shows the lap as a straight line with gaps between cars.
import type { Session, Standing } from '../race/race';
import { clockTenths } from '../ui/format';
import type { Selection } from '../ui/selection';
import type { Theme } from './colours';
import type { CarInfo } from './field';
import { LapStrip } from './lap_strip';

const MARGIN_PX = 14;
const LABEL_PX = 30; // apart from each other
const LABELS_MAX = 40;
const GAP_PX = 48; // less between two cars has no room for figures

interface Spot {
  car: number;
  right: number;
  info: CarInfo | undefined;
}

/** The lap as a straight line with every car on it, so that distances between drivers show. */
export class LineMap extends LapStrip {
  private readonly spots: Spot[] = [];
  private lines: readonly Standing[] = [];

  constructor(selection: Selection) {
    super(selection, { name: 'map-line', label: 'The lap as a line' }, MARGIN_PX);
  }

  protected override look(session: Session): void {
    this.lines = session.standings()?.lines ?? [];
  }

  private get middlePx(): number {
    return this.strip.heightPx / 2;
  }

  protected override paintLap(g: CanvasRenderingContext2D, theme: Theme): void {
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

  protected override paintCars(g: CanvasRenderingContext2D, theme: Theme): void {
    const { field, selection } = this;
    const own = this.carAt(field.ownAt);
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
    this.writeGaps(g, theme, own || selection.car);
  }

  /** Seconds from the car that is looked at to the one ahead and to the one behind. */
  private writeGaps(g: CanvasRenderingContext2D, theme: Theme, car: number): void {
    const { order } = this.field;
    const at = order.findIndex((info) => info.car === car);
    if (at < 0) return;
    const here = this.spotOf(car);
    for (const beside of [at - 1, at + 1]) {
      const other = order[beside];
      const there = other && this.spotOf(other.car);
      const gapUs = other ? gapBetween(this.lines, order[at]!.player, other.player) : 0;
      if (!here || !there || gapUs === 0) continue;
      const text = `${gapUs > 0 ? '+' : '−'}${clockTenths(Math.abs(gapUs))}`;
      const middle = (here.right + there.right) / 2;
      if (Math.abs(there.right - here.right) < GAP_PX) continue;
      const look = { font: '600 10px system-ui, sans-serif', heightPx: 14, colour: theme.paint };
      this.words.write(g, text, look, middle, this.middlePx + 0.5);
    }
  }

  private spotOf(car: number): Spot | undefined {
    return this.spots.find((spot) => spot.car === car);
  }

  /** Those looked at first, then by place in the race. */
  private placeSpots(own: number): void {
    const { field, selection, spots } = this;
    spots.length = 0;
    for (let row = 0; row < field.count; row++) {
      const car = this.carAt(row);
      spots.push({ car, right: this.rightOf(this.lapOf(row)), info: field.infoOf(car) });
    }
    const rank = ({ car, info }: Spot): number =>
      car === own ? -2 : car === selection.car ? -1 : (info?.position ?? Infinity);
    spots.sort((a, b) => rank(a) - rank(b) || a.car - b.car);
  }

  /** Above and below in turns, where there is room. */
  private writeNames(g: CanvasRenderingContext2D, theme: Theme, own: number): void {
    const taken: [number[], number[]] = [[], []];
    for (const { car, right, info } of this.spots.slice(0, LABELS_MAX)) {
      if (info === undefined) continue;
      const free = (side: 0 | 1): boolean =>
        taken[side].every((other) => Math.abs(other - right) > LABEL_PX);
      const side = free(0) ? 0 : free(1) ? 1 : -1;
      if (side < 0) continue;
      taken[side as 0 | 1].push(right);
      const strong = car === own || car === this.selection.car;
      const colour = car === own ? theme.own : strong ? theme.accent : theme.ink;
      const font = `${strong ? 700 : 500} 11px system-ui, sans-serif`;
      const down = this.middlePx + (side === 0 ? -18 : 19);
      this.words.write(g, info.code, { font, heightPx: 15, colour }, right, down);
    }
  }
}

/** Seconds that one is behind the other; negative: ahead; 0 when that is not known. */
function gapBetween(lines: readonly Standing[], player: number, other: number): number {
  const a = lines.find((line) => line.player === player);
  const b = lines.find((line) => line.player === other);
  const known = a && b && a.laps === b.laps && (a.gapUs > 0 || b.gapUs > 0);
  return known ? b.gapUs - a.gapUs : 0;
}
