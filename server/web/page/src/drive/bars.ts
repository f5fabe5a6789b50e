// Bars and shift lights of the driver's display.
import { el } from '../ui/dom';

/** A level as a bar that grows from one end, or from the middle. */
export class Bar {
  readonly element: HTMLElement;
  private readonly fill = el('div', { class: 'drive-bar-fill' });
  private shown = NaN;

  /** @param name shown beside it, and its colour: drive-bar-<name> */
  constructor(
    name: string,
    text: string,
    private readonly grows: 'up' | 'both-ways',
  ) {
    this.element = el(
      'div',
      { class: `drive-bar drive-bar-${name}`, title: text },
      el('div', { class: 'drive-bar-track' }, this.fill),
    );
  }

  /** From 0 to 1; both ways from -1 to 1, positive to the left. */
  set(value: number): void {
    const rounded = Math.round(value * 200) / 200;
    if (rounded === this.shown) return;
    this.shown = rounded;
    this.fill.style.transform =
      this.grows === 'up' ? `scaleY(${rounded})` : `scaleX(${-rounded / 2})`;
  }
}

/** A row of lights that fills up before it is time to change gear. */
export class Lights {
  readonly element = el('div', { class: 'drive-lights', 'aria-hidden': 'true' });
  private lit = -1;

  constructor(readonly count: number) {
    for (let i = 0; i < count; i++) this.element.append(el('i'));
  }

  set(lit: number): void {
    if (lit === this.lit) return;
    this.lit = lit;
    const lights = this.element.children;
    for (let i = 0; i < this.count; i++) lights[i]!.classList.toggle('on', i < lit);
    this.element.classList.toggle('all', lit >= this.count);
  }
}
