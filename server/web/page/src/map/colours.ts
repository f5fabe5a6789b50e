// The colours of the map are read from the page's theme.

/** The names of the map's colours: custom properties without their --map-. */
const themeNames = [
  'land', 'grass', 'gravel', 'sand', 'earth', 'mud', 'snow', 'ice', 'asphalt', 'wet-asphalt',
  'concrete', 'kerb', 'kerb-light', 'road', 'road-edge', 'bridge', 'pit', 'paint', 'other-surface',
  'wall-concrete', 'wall-tyre-wall', 'wall-guard-rail', 'wall-plastic', 'wall-other', 'arrow',
  'sector', 'ink', 'paper', 'accent', 'own', 'skid', 'dirt', 'outline', 'tyre', 'glass', 'brake',
  'dnf', 'flash', 'smoke', 'shade', 'rim',
] as const;

export type ThemeName = (typeof themeNames)[number];
export type Theme = Record<ThemeName, string>;

/** Colours as the browser has worked them out, for the theme that is on. */
export function readTheme(element: HTMLElement): Theme {
  const probe = document.createElement('span');
  probe.style.display = 'none';
  element.append(probe);
  const theme = {} as Theme;
  for (const name of themeNames) {
    probe.style.color = '';
    probe.style.color = `var(--map-${name})`;
    theme[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return theme;
}

/** Red, green and blue, 0 to 255, of a colour as browsers write it. */
export function channels(colour: string): [number, number, number] {
  const numbers = (colour.match(/-?[\d.]+/g) ?? []).map(Number);
  const unit = colour.startsWith('color(') ? 255 : 1;
  return [0, 1, 2].map((i) => (numbers[i] ?? 0) * unit) as [number, number, number];
}

/** Of a page that is laid over a picture, which has no ground of its own. */
export function isClear(colour: string): boolean {
  return /^rgba\(.*, 0\)$/.test(colour);
}

export function surfaceColour(theme: Theme, surface: string): string {
  return theme[surface as ThemeName] ?? theme['other-surface'];
}

export function wallColour(theme: Theme, material: string): string {
  return theme[`wall-${material}` as ThemeName] ?? theme['wall-other'];
}
