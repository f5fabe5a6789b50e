// The slider is the recording as a line to drag along, with marks on it.
import type { Playback } from '../race/race';
import { el, setAttribute, setText } from '../ui/dom';
import { markAt, markText, placeMarks, type PlacedMark, type Timeline } from './timeline';

const PLACES = 240; // marks closer than this are one
const REACH = 0.008; // of a pointer, to a mark

export interface SliderHooks {
  /** The hand is here, and has not let go. */
  onDrag(tick: number): void;
  /** It has. */
  onDrop(tick: number): void;
  nameOf: (player: number) => string | null;
}

/** The whole of a recording as a line to drag along, with what happened on it. */
export class Slider {
  readonly input = el('input', {
    class: 'replay-slider',
    type: 'range',
    min: '0',
    max: '1',
    step: '1',
    value: '0',
    'aria-label': 'Moment of the recording',
  });
  readonly element: HTMLElement;
  private readonly marksBox = el('div', { class: 'replay-marks', 'aria-hidden': 'true' });
  private readonly tip = el('div', { class: 'replay-tip', 'aria-hidden': 'true' });
  private placed: PlacedMark[] = [];
  private marks: Playback['marks'] | null = null;
  private line: Timeline | null = null;
  private dragged: number | null = null;
  private shownTick = -1;

  constructor(private readonly hooks: SliderHooks) {
    this.tip.hidden = true;
    this.element = el('div', { class: 'replay-line' }, this.marksBox, this.input, this.tip);
    this.input.addEventListener('input', () => this.drag());
    this.input.addEventListener('change', () => this.drop());
    this.input.addEventListener('pointermove', (event) => this.point(event));
    this.input.addEventListener('pointerleave', () => this.hideTip());
    this.input.addEventListener('pointercancel', () => this.hideTip());
  }

  /** The place at which the hand holds it; null: nowhere. */
  get held(): number | null {
    return this.dragged;
  }

  lay(line: Timeline, marks: Playback['marks']): void {
    const isLonger = this.line?.lastTick !== line.lastTick;
    this.line = line;
    if (!isLonger && marks === this.marks) return;
    this.marks = marks;
    this.input.max = String(Math.max(1, line.lastTick));
    this.placed = placeMarks(marks, line.lastTick, PLACES);
    this.marksBox.replaceChildren(...this.placed.map(markElement));
    this.shownTick = -1;
  }

  show(tick: number): void {
    const { line } = this;
    if (line === null) return;
    const whole = this.dragged ?? Math.round(tick);
    if (whole === this.shownTick) return;
    this.shownTick = whole;
    if (this.dragged === null) this.input.value = String(whole);
    const share = line.lastTick > 0 ? whole / line.lastTick : 0;
    this.element.style.setProperty('--played', share.toFixed(5));
  }

  /** For readers of screens; not at each frame. */
  tell(text: string): void {
    setAttribute(this.input, 'aria-valuetext', text);
  }

  forget(): void {
    this.marks = null;
    this.line = null;
    this.dragged = null;
    this.shownTick = -1;
    this.placed = [];
    this.marksBox.replaceChildren();
    this.hideTip();
  }

  private drag(): void {
    const tick = Number(this.input.value);
    this.dragged = tick;
    this.show(tick);
    this.showTip(tick);
    this.hooks.onDrag(tick);
  }

  private drop(): void {
    const tick = Number(this.input.value);
    this.dragged = null;
    this.hideTip();
    this.hooks.onDrop(tick);
  }

  private point(event: PointerEvent): void {
    if (event.pointerType === 'touch' || this.dragged !== null || this.line === null) return;
    const box = this.input.getBoundingClientRect();
    const thumb = thumbWidth(box.height);
    const share = (event.clientX - box.left - thumb / 2) / Math.max(1, box.width - thumb);
    this.showTip(this.line.clamp(share * this.line.lastTick));
  }

  private showTip(tick: number): void {
    const { line } = this;
    if (line === null || line.lastTick === 0) return;
    const share = tick / line.lastTick;
    const mark = markAt(this.placed, share, REACH);
    const time = line.text(mark?.tick ?? tick, false);
    const what = mark === null ? null : markText(mark, this.hooks.nameOf);
    setText(this.tip, what === null ? time : `${time} · ${what}`);
    this.tip.style.setProperty('--at', share.toFixed(4));
    this.tip.hidden = false;
  }

  private hideTip(): void {
    this.tip.hidden = true;
  }
}

/** As in the style sheet. */
function thumbWidth(height: number): number {
  return Math.min(18, height);
}

function markElement(mark: PlacedMark): HTMLElement {
  const element = el('i', { class: 'replay-mark', 'data-kind': mark.kind });
  element.style.setProperty('--at', mark.share.toFixed(5));
  return element;
}
