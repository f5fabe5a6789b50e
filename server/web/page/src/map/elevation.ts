// The strip of the lap's heights with the cars on it.
import type { TrackOutline } from '../race/race';
import type { Selection } from '../ui/selection';
import type { Theme } from './colours';
import { LapStrip } from './lap_strip';

const MARGIN_PX = 10;
const TOP_PX = 23; // for a car at the highest place, and its name
const BOTTOM_PX = 16; // for distances
const LEVEL_M = 6; // less between lowest and highest is drawn as nearly level
const CARS_MAX = 400;

/** The lap's heights from the line to the line, with the cars on them. */
export class Elevation extends LapStrip {
  private low = 0;
  private high = 1;

  constructor(selection: Selection) {
    super(selection, { name: 'map-elevation', label: 'Heights along the lap' }, MARGIN_PX);
  }

  protected override measure(outline: TrackOutline): void {
    this.low = Math.min(...outline.heightM);
    this.high = Math.max(...outline.heightM);
    const more = LEVEL_M - (this.high - this.low);
    if (more > 0) this.high += more;
    const text = `Heights along the lap: ${(this.high - this.low).toFixed(0)} metres between ` +
      'the lowest and the highest place';
    this.strip.describe(text);
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

  protected override paintLap(g: CanvasRenderingContext2D, theme: Theme): void {
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
    g.fillText(`↕ ${(this.high - this.low).toFixed(0)} m`, MARGIN_PX, this.strip.heightPx - 4);
    g.globalAlpha = 1;
    g.fillStyle = theme.sector;
    for (const end of sectorM) {
      if (end > lengthM - 1) continue;
      g.fillRect(this.rightOf(end) - 0.5, TOP_PX - 4, 1.5, bottom - TOP_PX + 4);
    }
  }

  protected override paintCars(g: CanvasRenderingContext2D, theme: Theme): void {
    const { field, selection } = this;
    const own = this.carAt(field.ownAt);
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
    row: number,
    radius: number,
    ring: string,
  ): void {
    const lapM = this.lapOf(row);
    const info = this.field.infoOf(this.carAt(row));
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
}
