// One bundle, three times: as the page, as the worker that lays a track, and as the one that
// keeps a hidden page going.
import './page.css';
import './dialogs.css';
import { Drive } from './drive/drive';
import { TrackMap } from './map/map';
import { laysInWorker } from './race/ground';
import { loadLibrary } from './race/instance';
import { openSession } from './race/session';
import { ReplayBar } from './replay/replay_bar';
import { beatInWorker } from './shell/beat';
import { Shell } from './shell/shell';

if (!laysInWorker() && !beatInWorker()) {
  // On its way while the list of races is; each part that needs it hears of a failure.
  loadLibrary().catch(() => undefined);
  const shell = new Shell(
    {
      openSession,
      map: (selection, options) => new TrackMap(selection, options),
      drive: (hooks) => new Drive(hooks),
      replayBar: () => new ReplayBar(),
    },
    document.body,
  );
  Object.assign(window, { apex: shell.insight() });
}
