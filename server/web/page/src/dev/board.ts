/** The whole page over made-up sessions and answers: see dev.ts for what the address may say. */
import '../page.css';
import '../dialogs.css';
import { Drive } from '../drive/drive';
import { TrackMap } from '../map/map';
import { ReplayBar } from '../replay/replay_bar';
import { Shell } from '../shell/shell';
import { beatInWorker } from '../shell/beat';
import { FakeSession, fakeDefaults } from './fake_session';
import type { FakeTrackName } from './fake_track';

const query = typeof location === 'undefined' ? null : new URLSearchParams(location.search);

function number(name: string, otherwise: number): number {
  const text = query?.get(name) ?? null;
  return text === null || Number.isNaN(Number(text)) ? otherwise : Number(text);
}

if (!beatInWorker()) {
  new Shell(
    {
      openSession: async (wish) =>
        new FakeSession({
          cars: number('cars', fakeDefaults.cars),
          track: (query?.get('track') ?? fakeDefaults.track) as FakeTrackName,
          seed: number('seed', fakeDefaults.seed),
          laps: number('laps', fakeDefaults.laps),
          skipS: number('skip', fakeDefaults.skipS),
          drive: !wish.spectate,
          replay: wish.url.includes('/replay/'),
        }),
      map: (selection, options) => new TrackMap(selection, options),
      drive: (hooks) => new Drive(hooks),
      replayBar: () => new ReplayBar(),
    },
    document.body,
  );
}
