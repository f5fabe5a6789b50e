import { MapButtons } from './buttons';
import type { Camera } from './camera';
import { FpsText } from './fps_text';
import type { KeyTarget } from './keys';

const NARROW_PX = 640; // no room beside the buttons

/** What stands before the map: its buttons, and how fast it draws. */
export class Furniture {
  readonly fps: FpsText;
  private readonly buttons: MapButtons;

  constructor(
    into: HTMLElement,
    actions: KeyTarget,
    options: { buttons?: boolean; fps?: boolean },
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

  /** Tells the camera what of a map of that width is covered. */
  cover(camera: Camera, widthPx: number): void {
    const narrow = widthPx < NARROW_PX && this.buttons.element.isConnected;
    camera.coveredPx = narrow ? this.buttons.element.offsetWidth * camera.density : 0;
  }
}
