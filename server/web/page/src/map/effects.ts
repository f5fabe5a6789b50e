// Flashes of contacts and puffs of smoke live here until they fade.
import type { Projection } from './camera';
import type { Theme } from './colours';

const FLASH_MS = 620;
const FLASHES_MAX = 64;
const PUFFS_MAX = 180;
const IMPULSE_NS_MIN = 120;
const PUFF_PX = 64; // of the picture

interface Flash {
  x: number;
  y: number;
  bornMs: number;
  size: number; // 0 to 1
}

interface Puff {
  x: number;
  y: number;
  driftX: number;
  driftY: number;
  bornMs: number;
  lifeMs: number;
  fromM: number;
  toM: number;
  alpha: number;
  dark: boolean;
}

/** The size of a contact's flash, from 0 (none) to 1. */
export function flashSize(impulseNs: number): number {
  if (impulseNs < IMPULSE_NS_MIN) return 0;
  return Math.min(1, 0.18 + Math.log10(impulseNs / IMPULSE_NS_MIN) / 2.2);
}

/** The effects that come and go: contacts, smoke and dust. */
export class Effects {
  private readonly flashes: Flash[] = [];
  private readonly puffs: Puff[] = [];
  private nextPuff = 0;
  private puffPictures: [HTMLCanvasElement, HTMLCanvasElement] | null = null;
  private theme: Theme | null = null;
  calm = false;

  contact(x: number, y: number, impulseNs: number, nowMs: number): void {
    const size = flashSize(impulseNs);
    if (size === 0) return;
    if (this.flashes.length >= FLASHES_MAX) this.flashes.shift();
    this.flashes.push({ x, y, bornMs: nowMs, size });
  }

  /** Smoke of tyres, or of an engine (dark); dust of the ground. */
  puff(x: number, y: number, strength: number, dark: boolean, nowMs: number): void {
    if (this.calm) return;
    const lot = ((this.nextPuff * 7919) % 101) / 101 - 0.5;
    const puff: Puff = {
      x: x + lot * 0.6,
      y: y - lot * 0.6,
      driftX: 0.6 + lot,
      driftY: 0.5 - lot * 0.5,
      bornMs: nowMs,
      lifeMs: dark ? 2600 : 700 + 700 * strength,
      fromM: 0.5,
      toM: dark ? 5 : 1.6 + 2.2 * strength,
      alpha: dark ? 0.55 : 0.12 + 0.3 * strength,
      dark,
    };
    if (this.puffs.length < PUFFS_MAX) this.puffs.push(puff);
    else this.puffs[this.nextPuff % PUFFS_MAX] = puff;
    this.nextPuff++;
  }

  draw(
    g: CanvasRenderingContext2D,
    p: Projection,
    theme: Theme,
    density: number,
    nowMs: number,
  ): void {
    if (theme !== this.theme) {
      this.puffPictures = [puffPicture(theme.smoke), puffPicture('#3a3a3a')];
      this.theme = theme;
    }
    this.drawPuffs(g, p, nowMs);
    this.drawFlashes(g, p, theme, density, nowMs);
    g.globalAlpha = 1;
  }

  private drawPuffs(g: CanvasRenderingContext2D, p: Projection, nowMs: number): void {
    for (const puff of this.puffs) {
      const part = (nowMs - puff.bornMs) / puff.lifeMs;
      if (part < 0 || part >= 1) continue;
      const sizePx = 2 * (puff.fromM + (puff.toM - puff.fromM) * Math.sqrt(part)) * p.pxPerM;
      if (sizePx < 2) continue;
      const wayS = (nowMs - puff.bornMs) / 1000;
      const x = puff.x + puff.driftX * wayS;
      const y = puff.y + puff.driftY * wayS;
      const right = p.xx * x + p.xy * y + p.right0 - sizePx / 2;
      const down = p.yx * x + p.yy * y + p.down0 - sizePx / 2;
      if (right > g.canvas.width || down > g.canvas.height) continue;
      if (right < -sizePx || down < -sizePx) continue;
      g.globalAlpha = puff.alpha * (1 - part);
      g.drawImage(this.puffPictures![puff.dark ? 1 : 0], right, down, sizePx, sizePx);
    }
  }

  private drawFlashes(
    g: CanvasRenderingContext2D,
    p: Projection,
    theme: Theme,
    density: number,
    nowMs: number,
  ): void {
    while (this.flashes[0] && nowMs - this.flashes[0].bornMs > FLASH_MS) this.flashes.shift();
    for (const flash of this.flashes) {
      const part = Math.max(0, (nowMs - flash.bornMs) / FLASH_MS);
      const right = p.xx * flash.x + p.xy * flash.y + p.right0;
      const down = p.yx * flash.x + p.yy * flash.y + p.down0;
      const most = Math.max((8 + 20 * flash.size) * density, 2 * flash.size * p.pxPerM);
      g.strokeStyle = theme.flash;
      g.fillStyle = theme.flash;
      g.globalAlpha = (1 - part) * 0.9;
      g.lineWidth = (1 + 2.5 * flash.size * (1 - part)) * density;
      g.beginPath();
      g.arc(right, down, most * (this.calm ? 0.7 : 0.25 + 0.75 * Math.sqrt(part)), 0, 2 * Math.PI);
      g.stroke();
      if (this.calm || part > 0.5) continue;
      g.globalAlpha = 0.8 * (1 - 2 * part);
      g.beginPath();
      for (let i = 0; i < 16; i++) {
        const reach = most * (i % 2 === 0 ? 0.65 : 0.24) * (1 - part);
        const angle = (i * Math.PI) / 8;
        g.lineTo(right + reach * Math.cos(angle), down + reach * Math.sin(angle));
      }
      g.fill();
    }
  }

  clear(): void {
    this.flashes.length = 0;
    this.puffs.length = 0;
  }
}

function puffPicture(colour: string): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = PUFF_PX;
  canvas.height = PUFF_PX;
  const g = canvas.getContext('2d')!;
  const half = PUFF_PX / 2;
  const soft = g.createRadialGradient(half, half, 0, half, half, half);
  soft.addColorStop(0, '#000');
  soft.addColorStop(1, 'transparent');
  g.fillStyle = soft;
  g.fillRect(0, 0, PUFF_PX, PUFF_PX);
  g.globalCompositeOperation = 'source-in';
  g.fillStyle = colour;
  g.fillRect(0, 0, PUFF_PX, PUFF_PX);
  return canvas;
}
