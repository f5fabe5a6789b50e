// The server's truth beside what a driver sees, on request.
//
// He sees his rivals at the moment of his own car, to which the server has not come yet. An outline
// of what it told last would lie metres behind and show how far ahead he sees, not how rightly. So
// frames are kept until its word reaches their moment, and two outlines are drawn there: where it
// had a car (solid), and where the car was seen (dashed). Where they are one, it was seen rightly.
import { Pose, POSE_FIELDS, type Poses, type Session } from '../race/race';
import { el, setText } from '../ui/dom';
import { shortLength } from '../ui/format';
import { onCanvas } from './camera';
import type { CarScene } from './car_painter';
import { anyShape, type Field } from './field';

const FRAMES = 160; // of a second, on a quick screen
const AHEAD_TICKS_MIN = 0.5; // less is as told
const WRITTEN_EVERY_MS = 500;

interface Place {
  tick: number;
  x: number;
  y: number;
  yaw: number;
}

export interface Outlines {
  car: number;
  had: Place;
  seen: Place | null; // not long enough ago
}

/** Where a car was seen, frame by frame. */
class Track {
  private readonly places: Place[] = [];
  private next = 0;

  add(place: Place): void {
    this.places[this.next] = place;
    this.next = (this.next + 1) % FRAMES;
  }

  private back(frames: number): Place | undefined {
    return this.places[(this.next - 1 - frames + 2 * FRAMES) % FRAMES];
  }

  at(tick: number): Place | null {
    for (let i = 0; i + 1 < this.places.length; i++) {
      const [before, after] = [this.back(i + 1), this.back(i)];
      if (before === undefined || after === undefined) return null;
      if (before.tick <= tick && tick <= after.tick) return between(before, after, tick);
    }
    return null;
  }
}

function between(a: Place, b: Place, tick: number): Place {
  const share = b.tick > a.tick ? (tick - a.tick) / (b.tick - a.tick) : 1;
  const turn = Math.atan2(Math.sin(b.yaw - a.yaw), Math.cos(b.yaw - a.yaw));
  return {
    tick,
    x: a.x + share * (b.x - a.x),
    y: a.y + share * (b.y - a.y),
    yaw: a.yaw + share * turn,
  };
}

function placeOf(rows: Float64Array, row: number): Place {
  const at = row * POSE_FIELDS;
  return {
    tick: rows[at + Pose.tick]!,
    x: rows[at + Pose.x]!,
    y: rows[at + Pose.y]!,
    yaw: rows[at + Pose.yaw]!,
  };
}

/** Of cars that are seen ahead of the server's word, what it had of them and what was seen. */
export class Truth {
  readonly legend = el('p', { class: 'map-truth', role: 'status', hidden: '' });
  outlines: Outlines[] = [];
  private tracks = new Map<number, Track>();
  private apartM = 0; // since the legend was written
  private writtenMs = -Infinity;

  get isOn(): boolean {
    return !this.legend.hidden;
  }

  toggle(): void {
    this.legend.hidden = this.isOn;
    this.forget();
  }

  forget(): void {
    this.outlines = [];
    this.tracks.clear();
    this.apartM = 0;
    this.writtenMs = -Infinity;
  }

  /** In each frame, after the field has looked. */
  look(session: Session, field: Field, nowMs: number): void {
    if (!this.isOn) return;
    this.compare(field, session.toldPoses(nowMs));
    for (const { had, seen } of this.outlines) {
      if (seen === null) continue;
      this.apartM = Math.max(this.apartM, Math.hypot(seen.x - had.x, seen.y - had.y));
    }
    if (Math.abs(nowMs - this.writtenMs) < WRITTEN_EVERY_MS) return;
    this.writtenMs = nowMs;
    setText(this.legend, this.words(session, field));
    this.apartM = 0;
  }

  compare(field: Field, told: Poses): void {
    const before = this.tracks;
    this.tracks = new Map();
    this.outlines = [];
    for (let row = 0; row < told.count; row++) {
      const had = placeOf(told.values, row);
      const car = told.values[row * POSE_FIELDS + Pose.car]!;
      const drawn = field.indexOf(car);
      if (drawn < 0) continue;
      const now = placeOf(field.rows, drawn);
      if (now.tick - had.tick < AHEAD_TICKS_MIN) continue;
      const track = before.get(car) ?? new Track();
      track.add(now);
      this.tracks.set(car, track);
      this.outlines.push({ car, had, seen: track.at(had.tick) });
    }
  }

  private words(session: Session, field: Field): string {
    if (session.car() === 0) return 'You watch: all cars are shown as the server told of them.';
    const own = this.outlines.find(({ car }) => car === session.car());
    const hz = session.welcome()?.tickHz ?? 0;
    if (own === undefined || !(hz > 0)) return 'No car is foretold.';
    const agoMs = (1000 * (placeOf(field.rows, field.ownAt).tick - own.had.tick)) / hz;
    return (
      `Solid: where the server had the cars ${Math.round(agoMs)} ms before what you see. ` +
      `Dashed: where you saw them at that moment, ${shortLength(this.apartM)} off at most.`
    );
  }

  draw(scene: CarScene): void {
    const { g, theme, density } = scene;
    if (this.outlines.length === 0) return;
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.globalAlpha = 1;
    for (const { car, had, seen } of this.outlines) {
      g.lineWidth = 1.6 * density;
      g.strokeStyle = theme.ink;
      this.outline(scene, car, had);
      if (seen === null) continue;
      g.strokeStyle = theme.accent;
      g.setLineDash([4 * density, 3 * density]);
      this.outline(scene, car, seen);
      g.setLineDash([]);
    }
  }

  private outline({ g, p, field }: CarScene, car: number, place: Place): void {
    const { lengthM, widthM, centreXM } = field.infoOf(car)?.shape ?? anyShape;
    const toCanvas = onCanvas(p);
    const [cos, sin] = [Math.cos(place.yaw), Math.sin(place.yaw)];
    g.beginPath();
    for (const [along, across] of [[1, 1], [1, -1], [-1, -1], [-1, 1]] as const) {
      const ahead = centreXM + (along * lengthM) / 2;
      const left = (across * widthM) / 2;
      const x = place.x + ahead * cos - left * sin;
      g.lineTo(...toCanvas(x, place.y + ahead * sin + left * cos));
    }
    g.closePath();
    g.stroke();
  }
}
