// The grain of the ground is a pattern woven once and repeated.
import { mix } from './mix';

const SIDE_PX = 256;
const PX_M = 0.25; // a pixel of the pattern, in the world

let picture: HTMLCanvasElement | null = null;

/** A cloth of light and dark specks, coarse ones under fine ones, that repeats without a seam. */
function weave(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = SIDE_PX;
  canvas.height = SIDE_PX;
  const g = canvas.getContext('2d')!;
  const image = g.createImageData(SIDE_PX, SIDE_PX);
  for (let y = 0; y < SIDE_PX; y++) {
    for (let x = 0; x < SIDE_PX; x++) {
      const coarse = soft(x, y, 32) * 0.9 + soft(x, y, 8) * 0.7;
      const bright = coarse + (mix(x, y, 3) - 0.5) * 0.5;
      const at = 4 * (y * SIDE_PX + x);
      image.data.fill(bright > 0 ? 255 : 0, at, at + 3);
      image.data[at + 3] = Math.min(Math.abs(bright) * 46, 70);
    }
  }
  g.putImageData(image, 0, 0);
  return canvas;
}

/** From -0.5 to 0.5, changing over `size` pixels. */
function soft(x: number, y: number, size: number): number {
  const cells = SIDE_PX / size;
  const column = Math.floor(x / size);
  const row = Math.floor(y / size);
  const u = smooth(x / size - column);
  const v = smooth(y / size - row);
  const at = (i: number, k: number): number =>
    mix((column + i) % cells, (row + k) % cells, size) - 0.5;
  const above = at(0, 0) + u * (at(1, 0) - at(0, 0));
  const below = at(0, 1) + u * (at(1, 1) - at(0, 1));
  return above + v * (below - above);
}

function smooth(part: number): number {
  return part * part * (3 - 2 * part);
}

/** For a canvas whose unit is a metre. */
export function grainOf(g: CanvasRenderingContext2D): CanvasPattern {
  const pattern = g.createPattern((picture ??= weave()), 'repeat')!;
  pattern.setTransform(new DOMMatrix([PX_M, 0, 0, PX_M, 0, 0]));
  return pattern;
}
