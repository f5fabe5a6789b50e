import { el, iconButton, setAttribute } from './dom';
import { ICONS } from './icons';
import type { MapPart } from './parts';

/** Buttons over the map. */
export class MapTools {
  readonly element: HTMLElement;
  private readonly followButton: HTMLButtonElement;
  private readonly headingButton: HTMLButtonElement;
  private follows = false;
  private headingIsUp = false;

  constructor(private readonly map: MapPart) {
    const toggle = { 'aria-pressed': 'false' };
    this.followButton = iconButton('Follow the chosen car (F)', ICONS.follow, () => this.follow(), toggle);
    this.headingButton = iconButton('Turn the map with the car (H)', ICONS.heading, () => this.heading(), toggle);
    this.element = el(
      'div',
      { class: 'map-tools', role: 'toolbar', 'aria-label': 'Map', 'aria-orientation': 'vertical' },
      this.followButton,
      this.headingButton,
      iconButton('Whole track (0)', ICONS.fit, () => this.fit()),
      iconButton('Closer', ICONS.plus, () => map.zoomBy(1.5)),
      iconButton('Further away', ICONS.minus, () => map.zoomBy(1 / 1.5)),
    );
  }

  follow(on = !this.follows): void {
    this.follows = on;
    setAttribute(this.followButton, 'aria-pressed', String(on));
    this.map.follow(on);
  }

  heading(on = !this.headingIsUp): void {
    this.headingIsUp = on;
    setAttribute(this.headingButton, 'aria-pressed', String(on));
    this.map.headingUp(on);
    if (on && !this.follows) this.follow(true);
  }

  fit(): void {
    this.follow(false);
    this.map.fit();
  }
}
