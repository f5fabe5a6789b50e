// The map's furniture: buttons and frame rate, placed by the room there is.
import { MapButtons } from './buttons';
import type { Camera } from './camera';
import { FpsText } from './fps_text';
import type { KeyTarget } from './map_keys';

const NARROW_PX = 760; // no room beside the buttons

export interface FurnitureWish {
  buttons?: boolean;
  fps?: boolean;
  over?: () => Iterable<Element>;
}

/** The things before the map: its buttons, and the text that says how fast it draws. */
export class Furniture {
  readonly fps: FpsText;
  private readonly buttons: MapButtons;

  constructor(
    into: HTMLElement,
    actions: KeyTarget,
    private readonly options: FurnitureWish,
  ) {
    this.fps = new FpsText(options.fps === true);
    this.buttons = new MapButtons(actions);
    into.append(this.fps.element);
    if (options.buttons !== false) into.append(this.buttons.element);
    this.show('fit', false);
  }

  show(mode: 'fit' | 'free' | 'follow', turns: boolean): void {
    const follows = mode === 'follow';
    this.buttons.show(follows, turns && follows);
  }

  /** All that lies over the map. */
  *over(): Iterable<Element> {
    yield* this.buttons.element.children;
    yield* this.options.over?.() ?? [];
  }

  /** Tells the camera what of a map of that width is covered. */
  cover(camera: Camera, widthPx: number): void {
    const narrow = widthPx < NARROW_PX && this.buttons.element.isConnected;
    camera.coveredPx = narrow ? this.buttons.element.offsetWidth * camera.density : 0;
  }
}
