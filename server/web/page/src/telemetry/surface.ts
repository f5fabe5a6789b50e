/** A canvas that is as sharp as the screen, and as large as its box. */
export class Surface {
  readonly canvas: HTMLCanvasElement;
  readonly paint: CanvasRenderingContext2D;
  width = 0; // CSS pixels
  height = 0;

  constructor(className: string, label: string) {
    this.canvas = document.createElement('canvas');
    this.canvas.className = className;
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', label);
    this.paint = this.canvas.getContext('2d')!;
    new ResizeObserver((entries) => {
      const box = entries[entries.length - 1]!.contentRect;
      this.resize(box.width, box.height);
    }).observe(this.canvas);
  }

  private resize(width: number, height: number): void {
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    this.width = width;
    this.height = height;
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
    this.paint.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  /** Empties it. @return whether there is anything to draw on */
  clear(): boolean {
    this.paint.clearRect(0, 0, this.width, this.height);
    return this.width > 10 && this.height > 10;
  }
}
