// The map's buttons: follow, turn with the car, zoom, whole track.
import { el, iconButton, setAttribute } from '../ui/dom';
import { ICONS } from '../ui/icons';

export interface MapActions {
  zoomBy(factor: number): void;
  fit(): void;
  toggleFollow(): void;
  toggleHeadingUp(): void;
}

/** The buttons on the map. */
export class MapButtons {
  readonly element: HTMLElement;
  private readonly followButton: HTMLButtonElement;
  private readonly headingButton: HTMLButtonElement;

  constructor(actions: MapActions) {
    this.followButton = iconButton('Follow a car (F)', ICONS.follow, () => actions.toggleFollow());
    this.headingButton = iconButton('Turn with the car (H)', ICONS.heading, () =>
      actions.toggleHeadingUp(),
    );
    const zooms = [
      iconButton('Zoom in (+)', ICONS.plus, () => actions.zoomBy(1.5)),
      iconButton('Zoom out (−)', ICONS.minus, () => actions.zoomBy(1 / 1.5)),
      iconButton('Whole track (0)', ICONS.fit, () => actions.fit()),
    ];
    this.element = el(
      'div',
      { class: 'map-buttons', role: 'group', 'aria-label': 'Map' },
      el('div', { class: 'map-group' }, this.followButton, this.headingButton),
      el('div', { class: 'map-group' }, ...zooms),
    );
  }

  show(follows: boolean, headingUp: boolean): void {
    setAttribute(this.followButton, 'aria-pressed', String(follows));
    setAttribute(this.headingButton, 'aria-pressed', String(headingUp && follows));
  }
}
