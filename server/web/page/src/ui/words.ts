// Words on a canvas are drawn once and copied from then on.

interface Word {
  canvas: HTMLCanvasElement;
  widthPx: number; // of the layout
  heightPx: number;
}

const KEPT_MAX = 512;
const AROUND_PX = 1; // for what a letter has beyond its width

/**
 * Words on a canvas, each drawn once and copied from then on: to write one costs a millisecond
 * where no graphics processor helps, to copy it next to nothing.
 */
export class Words {
  private readonly kept = new Map<string, Word>();

  /** Middle of the word at (x, y), in the unit of the canvas's transform. */
  write(
    g: CanvasRenderingContext2D,
    text: string,
    look: { font: string; heightPx: number; colour: string },
    x: number,
    y: number,
  ): void {
    const scale = g.getTransform().a;
    const key = `${scale} ${look.font} ${look.colour} ${text}`;
    let word = this.kept.get(key);
    if (word === undefined) {
      if (this.kept.size >= KEPT_MAX) this.kept.clear();
      word = draw(text, look, scale);
      this.kept.set(key, word);
    }
    const { canvas, widthPx, heightPx } = word;
    const whole = (px: number): number => Math.round(px * scale) / scale; // or letters blur
    g.drawImage(canvas, whole(x - widthPx / 2), whole(y - heightPx / 2), widthPx, heightPx);
  }
}

function draw(
  text: string,
  look: { font: string; heightPx: number; colour: string },
  scale: number,
): Word {
  const canvas = document.createElement('canvas');
  const g = canvas.getContext('2d')!;
  g.font = look.font;
  canvas.width = Math.ceil((g.measureText(text).width + 2 * AROUND_PX) * scale);
  canvas.height = Math.ceil(look.heightPx * scale);
  g.scale(scale, scale);
  g.font = look.font; // a canvas forgets it with its size
  g.fillStyle = look.colour;
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  const widthPx = canvas.width / scale;
  const heightPx = canvas.height / scale;
  g.fillText(text, widthPx / 2, heightPx / 2);
  return { canvas, widthPx, heightPx };
}
