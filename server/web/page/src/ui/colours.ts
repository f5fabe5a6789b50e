/** A driver's colour: the same everywhere in the page. */
export function colourOf(player: number): string {
  return PALETTE[(player * 7) % PALETTE.length]!;
}

const PALETTE = [
  '#e6194b', '#3cb44b', '#f5a623', '#4363d8', '#f58231', '#911eb4', '#00b5c8', '#d63ab0',
  '#8fbf1f', '#e58fb4', '#008f8f', '#9a6fd6', '#9a6324', '#b0202a', '#2fa57a', '#808000',
];
