/**
 * An invitation is a link whose fragment holds what one needs to come in:
 * `#password=...&token=...`. Browsers do not send fragments to servers, so neither is in a log.
 */

import { tokenBytes } from './token';

/** What a link brought; null: nothing of that. */
export interface Invitation {
  password: string | null;
  token: string | null; // of a lobby, as text
  isDamaged: boolean; // its token is none
}

/** @param hash with its sign. @returns null for the fragment of any other link */
export function invitationOf(hash: string): Invitation | null {
  const password = fieldOf(hash, 'password');
  const token = fieldOf(hash, 'token');
  if (password === null && token === null) return null;
  const isDamaged = token !== null && tokenBytes(token) === null;
  return { password, token: isDamaged ? null : token, isDamaged };
}

/** The parts of the page's world that an invitation is taken from. */
export interface Address {
  location: { hash: string; pathname: string; search: string };
  history: { state: unknown; replaceState(state: unknown, unused: string, url: string): void };
}

// Links are also written by hand: a plus is a plus, and a percent sign may be one.
function fieldOf(hash: string, name: string): string | null {
  const field = hash.replace(/^#/, '').split('&').find((each) => each.startsWith(`${name}=`));
  const text = field?.slice(name.length + 1) ?? '';
  try {
    return decodeURIComponent(text) || null;
  } catch {
    return text;
  }
}

/** Takes it out of the address bar: a link that is copied from there, or seen, gives no secret. */
export function takeInvitation({ location, history }: Address): Invitation | null {
  const invitation = invitationOf(location.hash);
  if (invitation === null) return null;
  try {
    history.replaceState(history.state, '', location.pathname + location.search);
  } catch {
    // Browsers let only so many in a while; it is good all the same.
  }
  return invitation;
}
