// One bundle, three times: as the page, as the worker that lays a track, and as the one that
// keeps a hidden page going.
import './page.css';
import './dialogs.css';
import { Drive } from './drive/drive';
import { identityOf } from './identity/identity';
import { driverKeys } from './identity/key_store';
import { TrackMap } from './map/map';
import { laysInWorker } from './race/ground';
import { loadLibrary } from './race/instance';
import { fromBrowser } from './race/means';
import type { SessionWish } from './race/race';
import { openSession } from './race/session';
import { ReplayBar } from './replay/replay_bar';
import { beatInWorker } from './shell/beat';
import { Shell } from './shell/shell';

if (!laysInWorker() && !beatInWorker()) {
  // On its way while the list of races is; each part that needs it hears of a failure.
  loadLibrary().catch(() => undefined);
  const means = {
    ...fromBrowser,
    identity: (wish: SessionWish) => identityOf(wish, driverKeys()),
  };
  const shell = new Shell(
    {
      openSession: (wish) => openSession(wish, means),
      map: (selection, options) => new TrackMap(selection, options),
      drive: (hooks) => new Drive(hooks),
      replayBar: () => new ReplayBar(),
    },
    document.body,
  );
  Object.assign(window, { apex: shell.insight() });
}
