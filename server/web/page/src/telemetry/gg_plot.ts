// The g-g plot draws lateral against longitudinal acceleration, with a trail.
import { colour } from '../ui/theme';
import { Ring } from './ring';
import { Surface } from './surface';

const GRAVITY_MPS2 = 9.80665;
const TRAIL = 120; // six seconds

/** The driver's head: which way it is pulled, and was. */
export class GgPlot {
  readonly surface = new Surface('gg-plot', 'Acceleration, sideways and lengthways');
  private readonly ring = new Ring(2, TRAIL);
  private mostG = 1;

  hear(forwardMps2: number, leftMps2: number): void {
    const forwardG = forwardMps2 / GRAVITY_MPS2;
    const leftG = leftMps2 / GRAVITY_MPS2;
    this.ring.push([leftG, forwardG]);
    const pull = Math.hypot(leftG, forwardG);
    if (pull > this.mostG && pull < 6) this.mostG = pull;
  }

  clear(): void {
    this.ring.clear();
    this.mostG = 1;
  }

  draw(): void {
    if (!this.surface.clear()) return;
    const { paint, width, height } = this.surface;
    const rings = Math.ceil(this.mostG);
    const radius = Math.min(width, height) / 2 - 8;
    const scale = radius / rings;
    const x = width / 2;
    const y = height / 2;
    paint.lineWidth = 1;
    paint.strokeStyle = colour('--line');
    paint.fillStyle = colour('--text-soft');
    paint.font = '10px system-ui, sans-serif';
    for (let g = 1; g <= rings; g++) {
      paint.beginPath();
      paint.arc(x, y, g * scale, 0, 2 * Math.PI);
      paint.stroke();
      paint.fillText(`${g} g`, x + 3, y - g * scale + 11);
    }
    paint.beginPath();
    paint.moveTo(x - radius, y);
    paint.lineTo(x + radius, y);
    paint.moveTo(x, y - radius);
    paint.lineTo(x, y + radius);
    paint.stroke();
    this.drawTrail(x, y, scale);
  }

  private drawTrail(x: number, y: number, scale: number): void {
    const { paint } = this.surface;
    const left = this.ring.column(0);
    const forward = this.ring.column(1);
    const count = this.ring.count;
    paint.fillStyle = colour('--accent');
    for (let i = 0; i < count; i++) {
      const isLast = i === count - 1;
      paint.globalAlpha = isLast ? 1 : 0.08 + (0.5 * i) / count;
      paint.beginPath();
      paint.arc(x - left[i]! * scale, y - forward[i]! * scale, isLast ? 5 : 2, 0, 2 * Math.PI);
      paint.fill();
    }
    paint.globalAlpha = 1;
  }
}
