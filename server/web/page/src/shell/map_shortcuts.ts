// The map's shortcuts: keys that move, zoom and follow.
import type { MapPart } from './parts';
import type { Shortcut } from './shortcuts';

/** Keys by which the map is looked at. */
export function mapShortcuts(map: MapPart): Shortcut[] {
  return [
    {
      key: 'f',
      words: 'follow the chosen car',
      act: () => map.follow(map.mode !== 'follow'),
      notDriving: true,
    },
    { key: 'h', words: 'turn the map with the car', act: () => map.headingUp(!map.isHeadingUp) },
    { key: '0', words: 'whole track', act: () => map.fit() },
    {
      key: 'o',
      words: 'outlines of where the server had the cars, and where you saw them',
      act: () => map.toggleTruth(),
    },
  ];
}
