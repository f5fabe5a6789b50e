export { mapKeys } from './keys';

export interface MapActions {
  zoomBy(factor: number): void;
  fit(): void;
  toggleFollow(): void;
  toggleHeadingUp(): void;
}

const SVG = 'http://www.w3.org/2000/svg';

const icons = {
  in: 'M12 5v14M5 12h14',
  out: 'M5 12h14',
  fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  follow: 'M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 2v4M12 18v4M2 12h4M18 12h4',
  heading: 'M12 3l7 17-7-4-7 4z',
};

function button(icon: keyof typeof icons, label: string, act: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.title = label;
  element.setAttribute('aria-label', label);
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', icons[icon]);
  svg.append(path);
  element.append(svg);
  element.addEventListener('click', act);
  return element;
}

/** The buttons on the map. */
export class MapButtons {
  readonly element = document.createElement('div');
  private readonly followButton: HTMLButtonElement;
  private readonly headingButton: HTMLButtonElement;

  constructor(actions: MapActions) {
    this.element.className = 'map-buttons';
    this.element.setAttribute('role', 'group');
    this.element.setAttribute('aria-label', 'Map');
    this.followButton = button('follow', 'Follow a car (F)', () => actions.toggleFollow());
    this.headingButton = button('heading', 'Turn with the car (H)', () =>
      actions.toggleHeadingUp(),
    );
    this.group(this.followButton, this.headingButton);
    this.group(
      button('in', 'Zoom in (+)', () => actions.zoomBy(1.5)),
      button('out', 'Zoom out (−)', () => actions.zoomBy(1 / 1.5)),
      button('fit', 'Whole track (0)', () => actions.fit()),
    );
  }

  private group(...buttons: HTMLButtonElement[]): void {
    const group = document.createElement('div');
    group.className = 'map-group';
    group.append(...buttons);
    this.element.append(group);
  }

  show(follows: boolean, headingUp: boolean): void {
    this.followButton.setAttribute('aria-pressed', String(follows));
    this.headingButton.setAttribute('aria-pressed', String(headingUp && follows));
  }
}
