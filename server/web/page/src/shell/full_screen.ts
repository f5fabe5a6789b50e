// Full screen: the wish and the button.
import { iconButton, setAttribute } from '../ui/dom';
import { ICONS } from '../ui/icons';

export function toggleFullScreen(): void {
  const done = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen();
  done.catch(() => {}); // some browsers let nobody; then not
}

/** Hidden where the browser has no such thing. One for the whole page: it listens for ever. */
export function fullScreenButton(): HTMLButtonElement {
  const button = iconButton('Full screen (X)', ICONS.full, toggleFullScreen);
  button.hidden = document.fullscreenEnabled !== true;
  document.addEventListener('fullscreenchange', () =>
    setAttribute(button, 'aria-pressed', String(document.fullscreenElement !== null)),
  );
  return button;
}
