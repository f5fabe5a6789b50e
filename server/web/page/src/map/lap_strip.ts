// A lap strip is the common part of the line map and the elevation.
import './strips.css';
import { Pose, POSE_FIELDS, type Session, type TrackOutline } from '../race/race';
import type { Selection } from '../ui/selection';
import type { View } from '../ui/view';
import { Words } from '../ui/words';
import type { Theme } from './colours';
import { Field } from './field';
import { LapFinder } from './lap_finder';
import { StripCanvas } from './strip_canvas';

const FINGER_PX = 24;

/** A strip as long as the lap with the cars on it; what lies below them, and how, is its own. */
export abstract class LapStrip implements View {
  readonly element: HTMLElement;
  protected readonly strip: StripCanvas;
  protected readonly field = new Field();
  protected readonly words = new Words();
  protected finder: LapFinder | null = null;
  protected outline: TrackOutline | null = null;

  constructor(
    protected readonly selection: Selection,
    kind: { name: string; label: string },
    private readonly marginPx: number,
  ) {
    this.strip = new StripCanvas(`map-strip ${kind.name}`, kind.label, (right) => this.pick(right));
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
    if (outline !== this.outline) {
      this.outline = outline;
      this.finder = new LapFinder(outline);
      this.strip.stale = true;
      this.measure(outline);
    }
    this.field.look(session, nowMs);
    this.look(session);
    this.strip.draw(
      (g, theme) => this.paintLap(g, theme),
      (g, theme) => this.paintCars(g, theme),
    );
  }

  /** Of a new track. */
  protected measure(_outline: TrackOutline): void {}

  /** Takes what else a frame needs. */
  protected look(_session: Session): void {}

  protected abstract paintLap(g: CanvasRenderingContext2D, theme: Theme): void;

  protected abstract paintCars(g: CanvasRenderingContext2D, theme: Theme): void;

  protected rightOf(lapM: number): number {
    const room = this.strip.widthPx - 2 * this.marginPx;
    return this.marginPx + (room * lapM) / this.outline!.lengthM;
  }

  /** Of the car in a row of the field; 0: none. */
  protected carAt(row: number): number {
    return row < 0 ? 0 : this.field.rows[row * POSE_FIELDS + Pose.car]!;
  }

  protected lapOf(row: number): number {
    const { rows } = this.field;
    const at = row * POSE_FIELDS;
    const car = rows[at + Pose.car]!;
    return this.finder!.find(car, rows[at + Pose.x]!, rows[at + Pose.y]!, rows[at + Pose.z]!);
  }

  /** The nearest car within a finger's reach. */
  private pick(right: number): void {
    let best = 0;
    let bestPx = FINGER_PX;
    for (let row = 0; row < this.field.count && this.finder; row++) {
      const px = Math.abs(this.rightOf(this.lapOf(row)) - right);
      if (px >= bestPx) continue;
      bestPx = px;
      best = this.carAt(row);
    }
    if (best !== 0) this.selection.choose(best);
  }
}
