// The columns of the tower are listed here.

/** The columns, from left to right. Stops and penalties come last, once the server states them. */
export const COLUMNS = [
  { key: 'position', title: 'Pos', words: 'Position' },
  { key: 'won', title: '', words: 'Places won or lost since the start' },
  { key: 'driver', title: 'Driver', words: 'Driver' },
  { key: 'car', title: 'Car', words: 'Car' },
  { key: 'gap', title: 'Gap', words: 'Gap to the leader' },
  { key: 'interval', title: 'Int', words: 'Interval to the car ahead' },
  { key: 'last', title: 'Last', words: 'Last lap' },
  { key: 'best', title: 'Best', words: 'Best lap' },
  { key: 'sectors', title: 'Sectors', words: 'Sectors' },
] as const;

export type ColumnKey = (typeof COLUMNS)[number]['key'];
