import './page.css';
import { beatInWorker } from './ui/beat';
import { mapPlaceholder, sessionPlaceholder } from './ui/placeholders';
import { Shell } from './ui/shell';

// One bundle, twice: as the page, and as the worker that keeps a hidden page going.
if (!beatInWorker()) {
  new Shell(
    {
      openSession: () => sessionPlaceholder(),
      map: () => mapPlaceholder(),
      drive: () => null,
      replayBar: () => null,
    },
    document.body,
  );
}
