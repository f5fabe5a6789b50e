/**
 * Colours of players. Twelve that differ in lightness as well as in hue, so that they can be told
 * apart by those who see fewer hues, and each with and without a spot on its roof.
 */
export const palette: readonly string[] = [
  '#e5343d', // red
  '#2f7de1', // blue
  '#f2b807', // yellow
  '#0f9d8f', // teal
  '#9b5de5', // violet
  '#f77f1e', // orange
  '#63c3f2', // sky
  '#2f8f3a', // green
  '#ef5da8', // pink
  '#9a6b4f', // brown
  '#b6dc3a', // lime
  '#dfe3e8', // silver
];

export interface Livery {
  colour: string;
  index: number; // in the palette
  spot: boolean;
}

const liveries: readonly Livery[] = [false, true].flatMap((spot) =>
  palette.map((colour, index) => ({ colour, index, spot })),
);

/**
 * Always the same of a player. Players that joined one after the other differ: servers count them,
 * with what tells a slot's holders apart in the upper half.
 */
export function liveryOf(player: number): Livery {
  const low = player & 0xffff;
  const high = player >>> 16;
  return liveries[(low + 5 * high) % liveries.length]!;
}

export function playerColour(player: number): string {
  return liveryOf(player).colour;
}
