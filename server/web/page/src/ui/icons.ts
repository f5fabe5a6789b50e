/** Paths of small pictures, drawn for a box of 24 with a round pen. */
export const ICONS = {
  tower: 'M4 6h10M4 12h16M4 18h7',
  side: 'M4 19V5M4 19h16M8 15l4-6 3 3 4-6',
  theme: 'M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9',
  help: 'M9 9a3 3 0 1 1 4 2.8c-.8.4-1 .9-1 1.7M12 17.5v.01',
  follow: 'M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 2v4M12 18v4M2 12h4M18 12h4',
  heading: 'M12 3l7 17-7-4-7 4z',
  fit: 'M8 6h8a6 6 0 0 1 0 12H8A6 6 0 0 1 8 6zM12 3.5v5',
  full: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  link:
    'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7' +
    'M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  results: 'M5 21V4M5 4h13l-3 4 3 4H5',
  strips: 'M3 18h18M5 18a2 2 0 1 0 0-.01M12 18a2 2 0 1 0 0-.01M3 11l5-5 4 3 5-4 4 3',
  close: 'M6 6l12 12M18 6L6 18',
  list: 'M4 6h4v4H4zM4 14h4v4H4zM12 8h8M12 16h8',
} as const;
