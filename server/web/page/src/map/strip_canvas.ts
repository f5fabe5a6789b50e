// A strip's canvas keeps a still layer below one that changes each frame.
import { onTheme } from '../ui/theme';
import { readTheme, type Theme } from './colours';

type Paint = (g: CanvasRenderingContext2D, theme: Theme) => void;

/** A small drawing with a part that stays and one that changes; units are pixels of the layout. */
export class StripCanvas {
  readonly element = document.createElement('div');
  widthPx = 0;
  heightPx = 0;
  /** True: the part that stays has to be painted anew. */
  stale = true;
  private readonly canvas = document.createElement('canvas');
  private readonly g = this.canvas.getContext('2d')!;
  private readonly ground = document.createElement('canvas');
  private theme: Theme | null = null;
  private readonly sizes = new ResizeObserver((entries) => this.resize(entries[0]!.contentRect));
  private readonly unwatchTheme: () => void;

  constructor(name: string, label: string, onTap: (rightPx: number, downPx: number) => void) {
    this.element.className = name;
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', label);
    this.element.append(this.canvas);
    this.canvas.addEventListener('click', (event) => {
      const box = this.canvas.getBoundingClientRect();
      onTap(event.clientX - box.left, event.clientY - box.top);
    });
    this.unwatchTheme = onTheme(() => {
      this.theme = null;
      this.stale = true;
    });
    this.sizes.observe(this.element);
  }

  end(): void {
    this.unwatchTheme();
    this.sizes.disconnect();
  }

  describe(label: string): void {
    this.canvas.setAttribute('aria-label', label);
  }

  private resize({ width, height }: { width: number; height: number }): void {
    this.widthPx = width;
    this.heightPx = height;
    for (const canvas of [this.canvas, this.ground]) {
      canvas.width = Math.max(1, Math.round(width * devicePixelRatio));
      canvas.height = Math.max(1, Math.round(height * devicePixelRatio));
    }
    this.stale = true;
  }

  draw(stays: Paint, changes: Paint): void {
    if (this.widthPx < 2 || this.heightPx < 2 || !this.element.isConnected) return;
    const theme = (this.theme ??= readTheme(this.element));
    const scale = this.canvas.width / this.widthPx;
    if (this.stale) {
      const g = this.ground.getContext('2d')!;
      g.setTransform(1, 0, 0, 1, 0, 0);
      g.clearRect(0, 0, this.ground.width, this.ground.height);
      g.setTransform(scale, 0, 0, scale, 0, 0);
      stays(g, theme);
      this.stale = false;
    }
    const { g } = this;
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.clearRect(0, 0, this.canvas.width, this.canvas.height);
    g.drawImage(this.ground, 0, 0);
    g.setTransform(scale, 0, 0, scale, 0, 0);
    changes(g, theme);
  }
}
