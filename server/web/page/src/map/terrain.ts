// A terrain is painted by surface, with light and shade from its slopes.
import type { TrackOutline } from '../race/race';
import { channels, surfaceColour, type Theme } from './colours';

type Terrain = NonNullable<TrackOutline['terrain']>;

const STEEP = 1.6; // by which slopes darken and brighten
const SUN_X = -0.7; // in the north-west
const SUN_Y = 0.7;
const SOFT_M = 3; // nodes closer together show what somebody has drawn
const CONTOUR_TINT = 0.05; // the high is a little brighter than the low

/** Light and shade of each node, from -1 to 1: the sun stands in the north-west. */
export function shadeOf(terrain: Terrain, column: number, row: number): number {
  const { columns, rows, heights, cellM } = terrain;
  const west = Math.max(column - 1, 0);
  const east = Math.min(column + 1, columns - 1);
  const south = Math.max(row - 1, 0);
  const north = Math.min(row + 1, rows - 1);
  const riseX = heights[row * columns + east]! - heights[row * columns + west]!;
  const riseY = heights[north * columns + column]! - heights[south * columns + column]!;
  const slopeX = riseX / (Math.max(east - west, 1) * cellM);
  const slopeY = riseY / (Math.max(north - south, 1) * cellM);
  const towards = -(slopeX * SUN_X + slopeY * SUN_Y);
  return Math.max(-1, Math.min(1, STEEP * towards));
}

/** Nodes and their neighbours: surfaces have soft borders then, where nodes are far apart. */
function blend(
  terrain: Terrain,
  colours: readonly (readonly number[])[],
  plain: readonly number[],
  column: number,
  row: number,
  out: number[],
): void {
  const { columns, rows, surfaces } = terrain;
  if (terrain.cellM < SOFT_M) {
    const colour = colours[surfaces[row * columns + column]!] ?? plain;
    for (let k = 0; k < 3; k++) out[k] = colour[k]!;
    return;
  }
  out.fill(0);
  for (let dy = -1; dy <= 1; dy++) {
    const near = Math.min(Math.max(row + dy, 0), rows - 1) * columns;
    for (let dx = -1; dx <= 1; dx++) {
      const node = near + Math.min(Math.max(column + dx, 0), columns - 1);
      const colour = colours[surfaces[node]!] ?? plain;
      const weight = ((2 - Math.abs(dx)) * (2 - Math.abs(dy))) / 16;
      for (let k = 0; k < 3; k++) out[k]! += colour[k]! * weight;
    }
  }
}

/** The ground as a bitmap of a pixel a node, north above. */
export function paintTerrain(terrain: Terrain, theme: Theme): HTMLCanvasElement {
  const { columns, rows, heights, surfaceNames } = terrain;
  const canvas = document.createElement('canvas');
  canvas.width = columns;
  canvas.height = rows;
  const g = canvas.getContext('2d')!;
  const image = g.createImageData(columns, rows);
  const colours = surfaceNames.map((name) => channels(surfaceColour(theme, name)));
  const plain = channels(theme.land);
  let low = Infinity;
  let high = -Infinity;
  for (const height of heights) {
    low = Math.min(low, height);
    high = Math.max(high, height);
  }
  const range = Math.max(high - low, 1);
  const colour = [0, 0, 0];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const node = row * columns + column;
      blend(terrain, colours, plain, column, row, colour);
      const shade = 0.42 * shadeOf(terrain, column, row);
      const tint = CONTOUR_TINT * (2 * ((heights[node]! - low) / range) - 1);
      const bright = shade + (range > 2 ? tint : 0);
      const at = 4 * ((rows - 1 - row) * columns + column);
      for (let k = 0; k < 3; k++) {
        const value = colour[k]!;
        image.data[at + k] = bright > 0 ? value + (255 - value) * bright : value * (1 + bright);
      }
      image.data[at + 3] = 255;
    }
  }
  g.putImageData(image, 0, 0);
  return canvas;
}

/** Draws it on a canvas whose unit is a metre, y upwards. */
export function placeTerrain(
  g: CanvasRenderingContext2D,
  terrain: Terrain,
  bitmap: HTMLCanvasElement,
): void {
  const { west, south, cellM, columns, rows } = terrain;
  g.save();
  g.scale(1, -1);
  const north = south + (rows - 0.5) * cellM;
  g.imageSmoothingEnabled = true;
  g.drawImage(bitmap, west - cellM / 2, -north, columns * cellM, rows * cellM);
  g.restore();
}
