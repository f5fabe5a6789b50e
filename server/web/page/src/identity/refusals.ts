// Refusals that have to do with who somebody is, in sentences that say what to do.
import type { Reason } from '../race/race';

const ASK_LINK = 'Ask whoever hosts the race for a new link.';

const SENTENCES: Record<string, string> = {
  key: 'The server could not check your driver key. Load the page again and try once more.',
  'key-needed':
    'This server takes no guests. Switch off “Drive as a guest”, and you come with a driver key.',
  'name-held':
    'Another driver holds this name here. Choose another name; or, if it is yours, import the ' +
    'driver key with which you took it.',
  'not-listed':
    'This race is for listed drivers, and your driver key is not on the list. Send your ' +
    'fingerprint, below your name here, to whoever hosts the race.',
  'token-needed':
    'This race is entered from its lobby. Open the link that the lobby gives you, or ask whoever ' +
    'hosts the race for one.',
  'token-invalid': `The invitation in your link is damaged. ${ASK_LINK}`,
  'token-issuer': `The server does not trust who signed your invitation. ${ASK_LINK}`,
  'token-audience':
    'Your invitation is for another server or another race. Open the link that was meant for ' +
    'this one.',
  'token-early':
    'Your invitation is not good yet. Wait a minute and try again; if that does not help, a ' +
    'clock is wrong at the lobby or here.',
  'token-expired': `Your invitation has expired. ${ASK_LINK}`,
  'token-holder':
    'Your invitation is for another driver key, or names none. Import the key that it is for, or ' +
    'ask the lobby for one for your public key, which stands below your name here.',
  'token-used': `Your invitation has been used by somebody else. ${ASK_LINK}`,
  lockdown: 'The operator lets nobody in for now. Try again later.',
};

/** What a refusal over who one is means for him at the page; null: it is another refusal. */
export function adviceOn(reason: Reason | null): string | null {
  return SENTENCES[reason?.name ?? ''] ?? null;
}

/** What a driver who asks for a wheel reads. */
export function refusalText(reason: Reason): string {
  return adviceOn(reason) ?? (reason.text || `The server said no: ${reason.name}.`);
}

/** @returns whether the invitation will never be good here, so that it is of no use any more */
export function spendsToken(reason: Reason): boolean {
  return /^token-(invalid|issuer|audience|expired|holder|used)$/.test(reason.name);
}
