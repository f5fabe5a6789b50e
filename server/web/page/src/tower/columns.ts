// The tower's columns have fixed widths, and the tower drops columns by its own width, never by
// what stands in them: a name that comes or goes moves nothing (DECISIONS 45). The first to give
// way are sectors, not names. There are no numbers of cars, since the race has none: grid boxes and
// ids are not what a driver is known by.

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
