// The listing asks the API again and again for the race or recording that is shown.
import { api, listOf, type RaceInfo, type ReplayInfo } from '../ui/api';
import type { WatchedRoute } from '../ui/route';

const POLL_MS = 5000;

/** The entry of the server's lists about the race or recording that is shown. */
export class Listing {
  clients = 0; // that watch or drive; 0: not known
  private polledMs = -Infinity;
  private isOver = false;

  constructor(
    private readonly route: WatchedRoute,
    /** There is no such race or recording. */
    private readonly onMissing: () => void,
  ) {}

  /** @param isLive what is shown comes from the server: then it is there */
  beat(nowMs: number, isLive: boolean): void {
    if (document.hidden || nowMs - this.polledMs < POLL_MS) return;
    this.polledMs = nowMs;
    // If the server does not answer, the page's banner says so.
    if (this.route.kind === 'race') this.ask('/api/races', (list) => this.hearRaces(list));
    else if (!isLive) this.ask('/api/replays', (list) => this.hearReplays(list));
  }

  end(): void {
    this.isOver = true;
  }

  private ask(path: string, hear: (list: unknown) => void): void {
    api<unknown>(path).then(
      (list) => {
        if (!this.isOver) hear(list);
      },
      () => {},
    );
  }

  private hearRaces(list: unknown): void {
    const { route } = this;
    const races = listOf<RaceInfo>(list);
    const race = races.find(({ id }) => route.kind === 'race' && String(id) === route.id);
    this.clients = race?.clients ?? 0;
    if (race === undefined) this.onMissing();
  }

  private hearReplays(list: unknown): void {
    const { route } = this;
    const replays = listOf<ReplayInfo>(list);
    const isThere = replays.some(({ name }) => route.kind === 'replay' && name === route.name);
    if (!isThere) this.onMissing();
  }
}
