// Links to what is seen are made, copied and put into the address here.
import type { Session } from '../race/race';
import { ask } from '../ui/dialog';
import { el } from '../ui/dom';
import { withQuery } from '../ui/route';

/** The address of what is seen just now: with the driver, and the moment of a recording. */
export function linkTo(
  { origin, pathname, search }: { origin: string; pathname: string; search: string },
  driver: string | null,
  atS: number | null,
): string {
  const query = withQuery(search, 'car', driver);
  return origin + pathname + withQuery(query, 'at', atS === null ? null : atS.toFixed(1));
}

/** The page's own address names him, so that a page loaded anew shows the same; '': nobody. */
export function nameInAddress(driver: string): void {
  const query = withQuery(location.search, 'car', driver || null);
  try {
    history.replaceState(null, '', location.pathname + query);
  } catch {
    // Browsers let only so many in a while; the next choice says it again.
  }
}

/** Seconds into the recording that is played; null: it is live. */
export function momentS(session: Session): number | null {
  const hz = session.welcome()?.tickHz ?? 0;
  const playback = session.playback();
  return playback === null || !(hz > 0) ? null : playback.tick / hz;
}

/** Copies it, or shows it to be copied: browsers let only pages with TLS do so. */
export async function share(link: string, onCopied: () => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    onCopied();
  } catch {
    const field = el('input', { type: 'text', readonly: '', value: link, 'aria-label': 'Link' });
    field.classList.add('dialog-link');
    ask('dialog', 'A link to this', [field], [{ text: 'Close', kind: 'primary' }]);
    field.select();
  }
}
