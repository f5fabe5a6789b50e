// The dial draws engine speed, gear and road speed on a canvas.
import { gearText } from '../ui/format';
import { Words } from '../ui/words';
import { isShiftTime, speedText, type SpeedUnit } from './figures';

/** The figures that the dial shows at a moment. */
export interface DialState {
  rpm: number;
  rpmMax: number;
  speedMps: number;
  gear: number;
  unit: SpeedUnit;
}

export interface DialColours {
  text: string;
  dim: string;
  line: string;
  accent: string;
  warn: string;
}

const START = Math.PI * 0.75; // lower left, clockwise to the lower right
const SWEEP = Math.PI * 1.5;
const RED_FROM = 0.92;

/** Engine speed as an arc, with the gear and the speed in its middle. Drawn when it has changed. */
export class Dial {
  readonly element = document.createElement('canvas');
  private readonly pen: CanvasRenderingContext2D | null;
  private face: HTMLCanvasElement | null = null;
  private readonly words = new Words();
  private faceKey = '';
  private shown = '';
  private sizePx = 0;
  private colours: DialColours = {
    text: '#fff',
    dim: '#999',
    line: '#444',
    accent: '#4af',
    warn: '#f44',
  };

  constructor() {
    this.element.className = 'drive-dial';
    this.element.setAttribute('aria-hidden', 'true');
    this.pen = this.element.getContext('2d');
  }

  setColours(colours: DialColours): void {
    if (JSON.stringify(colours) === JSON.stringify(this.colours)) return;
    this.colours = colours;
    this.faceKey = '';
    this.shown = '';
  }

  /** Fits the canvas to its place. Reads layout: not each frame. */
  fit(): void {
    const cssPx = this.element.clientWidth;
    const px = Math.round(cssPx * Math.min(window.devicePixelRatio || 1, 3));
    if (px === this.sizePx || px === 0) return;
    this.sizePx = px;
    this.element.width = px;
    this.element.height = px;
    this.faceKey = '';
    this.shown = '';
  }

  draw(state: DialState): void {
    const pen = this.pen;
    if (pen === null || this.sizePx === 0) return;
    const speed = speedText(state.speedMps, state.unit);
    const rpmMax = state.rpmMax > 0 ? state.rpmMax : 8000;
    const share = Math.min(1.04, Math.max(0, state.rpm / rpmMax));
    const key = `${Math.round(share * 400)} ${speed} ${state.gear} ${state.unit} ${rpmMax}`;
    if (key === this.shown) return;
    this.shown = key;
    pen.clearRect(0, 0, this.sizePx, this.sizePx);
    pen.drawImage(this.faceFor(rpmMax), 0, 0);
    const late = isShiftTime(state.rpm, rpmMax);
    this.drawArc(pen, share, late);
    this.drawFigures(pen, speed, state, late);
  }

  private drawArc(pen: CanvasRenderingContext2D, share: number, late: boolean): void {
    const r = this.sizePx / 2;
    const end = START + SWEEP * Math.min(1, share);
    pen.lineCap = 'butt';
    pen.lineWidth = r * 0.11;
    pen.strokeStyle = late ? this.colours.warn : this.colours.accent;
    pen.beginPath();
    pen.arc(r, r, r * 0.86, START, end);
    pen.stroke();
    pen.lineWidth = r * 0.035;
    pen.strokeStyle = late ? this.colours.warn : this.colours.text;
    pen.beginPath();
    pen.moveTo(r + Math.cos(end) * r * 0.76, r + Math.sin(end) * r * 0.76);
    pen.lineTo(r + Math.cos(end) * r * 0.97, r + Math.sin(end) * r * 0.97);
    pen.stroke();
  }

  private drawFigures(
    pen: CanvasRenderingContext2D,
    speed: string,
    state: DialState,
    late: boolean,
  ): void {
    const r = this.sizePx / 2;
    const { text, dim, warn } = this.colours;
    const write = (word: string, weight: number, size: number, colour: string, y: number): void => {
      const px = r * size;
      const look = { font: `${weight} ${px}px system-ui, sans-serif`, heightPx: px * 1.3, colour };
      this.words.write(pen, word, look, r, y);
    };
    write(gearText(state.gear), 700, 0.62, late ? warn : text, r * 0.82);
    write(speed, 600, 0.38, text, r * 1.34);
    write(state.unit, 500, 0.16, dim, r * 1.62);
  }

  /** The scale, which does not move. */
  private faceFor(rpmMax: number): HTMLCanvasElement {
    const key = `${this.sizePx} ${rpmMax}`;
    if (this.face !== null && key === this.faceKey) return this.face;
    const face = document.createElement('canvas');
    face.width = this.sizePx;
    face.height = this.sizePx;
    const pen = face.getContext('2d');
    if (pen !== null) this.drawFace(pen, rpmMax);
    this.face = face;
    this.faceKey = key;
    return face;
  }

  private drawFace(pen: CanvasRenderingContext2D, rpmMax: number): void {
    const r = this.sizePx / 2;
    pen.lineWidth = r * 0.11;
    pen.strokeStyle = this.colours.line;
    pen.beginPath();
    pen.arc(r, r, r * 0.86, START, START + SWEEP);
    pen.stroke();
    pen.globalAlpha = 0.55;
    pen.strokeStyle = this.colours.warn;
    pen.beginPath();
    pen.arc(r, r, r * 0.86, START + SWEEP * RED_FROM, START + SWEEP);
    pen.stroke();
    pen.globalAlpha = 1;
    const step = rpmMax > 12000 ? 2000 : 1000;
    pen.font = `500 ${r * 0.13}px system-ui, sans-serif`;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    for (let rpm = 0; rpm <= rpmMax; rpm += step) {
      const angle = START + (SWEEP * rpm) / rpmMax;
      const cos = Math.cos(angle);
      const sin = Math.sin(angle);
      pen.strokeStyle = this.colours.dim;
      pen.lineWidth = r * 0.018;
      pen.beginPath();
      pen.moveTo(r + cos * r * 0.8, r + sin * r * 0.8);
      pen.lineTo(r + cos * r * 0.74, r + sin * r * 0.74);
      pen.stroke();
      pen.fillStyle = rpm > rpmMax * RED_FROM ? this.colours.warn : this.colours.dim;
      pen.fillText(String(rpm / 1000), r + cos * r * 0.64, r + sin * r * 0.64);
    }
  }
}
