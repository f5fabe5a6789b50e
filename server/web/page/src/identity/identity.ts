// What the library is told of who asks to come in, when it asks.
import type { Identity } from '../race/instance';
import type { SessionWish } from '../race/race';
import { prove } from './driver_key';
import type { KeyStore } from './key_store';
import { tokenBytes } from './token';

/** Whoever uses this browser, unless he wants to be a guest. */
export function identityOf(wish: SessionWish, keys: KeyStore): Identity {
  return {
    prove: (serverKey, challenge) => {
      if (wish.isGuest === true) return null;
      const driver = keys.keyForDriving();
      return { key: driver.key, signature: prove(driver, serverKey, challenge) };
    },
    token: () => tokenBytes(wish.token ?? ''),
  };
}
