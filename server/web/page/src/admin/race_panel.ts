// One race on the operator's page: its figures, a row for each driver, and the orders.
import type { RaceInfo } from '../ui/api';
import { confirmed } from '../ui/dialog';
import { button, el, setAttribute, setClass, setText } from '../ui/dom';
import { lapTime, microseconds, raceTime } from '../ui/format';
import { give, refusalText, type Order } from './orders';
import {
  counterRows,
  driversTitle,
  healthFigures,
  knownAs,
  stageShares,
  whereabouts,
  type Figure,
  type RaceStatus,
  type StatusPlayer,
} from './status';

/** A view that shows a race beside its orders. */
export interface LiveView {
  readonly element: HTMLElement;
  /** Each frame. */
  beat(nowMs: number): void;
  /** Shows where a player's car is. */
  choose(player: number): void;
  end(): void;
}

/** A race as its operator sees it: figures, drivers, orders. */
export class RacePanel {
  readonly element: HTMLElement;
  private readonly title = el('h2', {});
  private readonly about = el('p', { class: 'admin-about' });
  private readonly answer = el('p', { class: 'admin-answer', role: 'status' });
  private readonly figures = el('dl', { class: 'admin-figures' });
  private readonly stages = el('div', { class: 'admin-stages' });
  private readonly counters = el('div', { class: 'admin-counters' });
  private readonly players = el('tbody', {});
  private readonly count = el('h3', {}, 'Drivers');
  private readonly rows = new Map<number, PlayerRow>();
  private readonly text = el('input', {
    type: 'text',
    maxlength: '200',
    'aria-label': 'Words to everybody in the race',
    placeholder: 'Say something to everybody',
  });
  private readonly lockdown = button('Lockdown', () => this.turnLockdown(), {
    class: 'button admin-lockdown',
    role: 'switch',
    'aria-checked': 'false',
    title: 'On: nobody new gets in; who is in stays, and comes back after a broken connection',
  });
  private isLocked = false;
  private openParts = '';

  constructor(
    private readonly race: number,
    private readonly live: LiveView,
    private readonly token: () => string,
    private readonly changed: () => void,
  ) {
    const head = el('tr', {});
    for (const title of ['Pos', 'Name', 'Driver', 'Car', 'Laps', 'Best lap', 'Where', 'Action']) {
      head.append(el('th', { scope: 'col' }, title));
    }
    const table = el('table', { class: 'admin-players' }, el('thead', {}, head), this.players);
    this.element = el(
      'section',
      { class: 'panel admin-race' },
      el('div', { class: 'panel-head' }, this.title, this.about),
      el('div', { class: 'admin-order' }, this.orders(), this.answer),
      this.live.element,
      el('div', { class: 'admin-health' }, this.figures, this.stages),
      el(
        'div',
        { class: 'admin-people' },
        this.count,
        el(
          'div',
          { class: 'admin-scroll', tabindex: '0', role: 'region', 'aria-label': 'Drivers' },
          table,
        ),
        this.counters,
      ),
    );
  }

  beat(nowMs: number): void {
    this.live.beat(nowMs);
  }

  end(): void {
    this.live.end();
    this.element.remove();
  }

  show(race: RaceInfo, status: RaceStatus): void {
    const phase = status.phase ?? race.phase ?? '';
    const timed = phase === 'race' || phase === 'finish' || phase === 'countdown';
    const timeS = timed ? status.race_time_s : undefined;
    const time = timeS === undefined ? '' : `, ${raceTime(microseconds(timeS))}`;
    setText(this.title, race.name || `Race ${race.id}`);
    const number = `race ${status.race_number ?? 1}`;
    this.isLocked = status.lockdown === true;
    const locked = this.isLocked ? ' · nobody new gets in' : '';
    setText(this.about, `${race.track ?? ''} · ${number} · ${phase}${time}${locked}`);
    setAttribute(this.lockdown, 'aria-checked', String(this.isLocked));
    const hz = (race as { tick_hz?: number }).tick_hz || 60;
    this.showFigures(healthFigures(status, 1e6 / hz));
    this.showStages(stageShares(status.stages_s));
    this.showPlayers(status.order ?? []);
    this.showCounters(status);
  }

  private orders(): HTMLElement {
    const say = el(
      'form',
      { class: 'admin-say' },
      this.text,
      el('button', { type: 'submit', class: 'button' }, 'Say'),
    );
    say.addEventListener('submit', (event) => {
      event.preventDefault();
      const text = this.text.value.trim();
      if (text === '') return;
      this.text.value = '';
      void this.give('say', { text });
    });
    const restart = () =>
      confirmed(
        'Restart the race?',
        'Everybody goes back to the grid; this race does not count.',
        'Restart',
        () => void this.give('restart'),
      );
    const quit = () =>
      confirmed(
        'Stop the server?',
        'Results so far are written, and everybody is told. It does not start again by itself.',
        'Stop the server',
        () => void this.give('quit'),
      );
    return el(
      'div',
      { class: 'admin-orders' },
      say,
      button('Start', () => void this.give('start'), { class: 'button' }),
      button('Restart…', restart, { class: 'button' }),
      this.lockdown,
      button('Quit…', quit, { class: 'button danger' }),
      el('a', { class: 'button', href: `/race/${this.race}` }, 'Watch'),
    );
  }

  private turnLockdown(): void {
    void this.give('lockdown', { on: !this.isLocked });
  }

  private async give(order: Order, body: object = {}): Promise<void> {
    try {
      this.say(await give(this.token(), this.race, order, body), false);
    } catch (error) {
      this.say(refusalText(error), true);
    }
    this.changed();
  }

  private say(text: string, isBad: boolean): void {
    this.answer.textContent = text;
    setClass(this.answer, 'is-bad', isBad);
  }

  private showFigures(figures: readonly Figure[]): void {
    if (this.figures.childElementCount !== figures.length) {
      const boxes = figures.map(({ name }) => el('div', {}, el('dt', {}, name), el('dd', {})));
      this.figures.replaceChildren(...boxes);
    }
    figures.forEach(({ value, isBad }, i) => {
      const box = this.figures.children[i]!;
      setText(box.lastElementChild!, isBad ? `⚠ ${value}` : value);
      setClass(box, 'is-bad', isBad);
    });
  }

  private showStages(shares: readonly [string, number][]): void {
    const bars = shares.map(([name, share]) => {
      const bar = el('span', {
        class: 'admin-stage',
        title: `${name}: ${(share * 100).toFixed(1)} %`,
      });
      bar.style.flexGrow = String(Math.max(share, 0.001));
      if (share > 0.08) bar.append(`${name} ${Math.round(share * 100)} %`);
      return bar;
    });
    this.stages.replaceChildren(...bars);
    this.stages.hidden = bars.length === 0;
  }

  private showPlayers(players: readonly StatusPlayer[]): void {
    setText(this.count, driversTitle(players));
    const kept = new Set(players.map((player) => player.player));
    for (const [id, row] of this.rows) {
      if (kept.has(id)) continue;
      row.element.remove();
      this.rows.delete(id);
    }
    let place: Element | null = null;
    for (const player of players) {
      let row = this.rows.get(player.player);
      if (row === undefined) {
        row = new PlayerRow(
          (who) => this.kick(who),
          (who) => this.live.choose(who.player),
        );
        this.rows.set(player.player, row);
      }
      row.show(player);
      const isThere: boolean =
        place === null
          ? this.players.firstElementChild === row.element
          : place.nextElementSibling === row.element;
      if (!isThere) {
        if (place === null) this.players.prepend(row.element);
        else place.after(row.element);
      }
      place = row.element;
    }
  }

  private kick(player: StatusPlayer): void {
    const text = `${player.name} is taken off the track and told that an operator did so.`;
    const act = () => void this.give('kick', { player: player.player });
    confirmed(`Remove ${player.name}?`, text, 'Remove', act);
  }

  private showCounters(status: RaceStatus): void {
    const parts: [string, [string, number][]][] = [
      ['Refusals', counterRows(status.refusals)],
      ['Sessions', counterRows(status.sessions)],
      ['Transport', counterRows(status.transport)],
      ['Store', counterRows(status.store)],
    ];
    const there = parts.filter(([, rows]) => rows.length > 0);
    const key = there.map(([title]) => title).join();
    if (key !== this.openParts) {
      this.openParts = key;
      this.counters.replaceChildren(
        ...there.map(([title]) => el('details', {}, el('summary', {}, title), el('dl', {}))),
      );
    }
    there.forEach(([, rows], i) => {
      const items = rows.map(([name, value]) =>
        el('div', {}, el('dt', {}, name), el('dd', {}, value.toLocaleString('en'))),
      );
      this.counters.children[i]!.lastElementChild!.replaceChildren(...items);
    });
  }
}

class PlayerRow {
  readonly element: HTMLTableRowElement;
  private readonly cells: HTMLElement[];
  private readonly kick: HTMLButtonElement;
  private readonly name = el('button', { type: 'button', class: 'admin-name' });
  private player: StatusPlayer | null = null;

  constructor(
    onKick: (player: StatusPlayer) => void,
    onShow: (player: StatusPlayer) => void,
  ) {
    this.cells = ['num', 'name', 'driver', '', 'num', 'num', ''].map((kind) =>
      kind === 'name' ? el('th', { scope: 'row' }) : el('td', { class: kind }),
    );
    const act = () => {
      if (this.player !== null) onKick(this.player);
    };
    this.kick = button('Remove…', act, { class: 'button small' });
    this.cells[1]!.append(this.name);
    this.name.addEventListener('click', () => {
      if (this.player !== null) onShow(this.player);
    });
    this.element = el('tr', {}, ...this.cells, el('td', {}, this.kick));
  }

  show(player: StatusPlayer): void {
    this.player = player;
    const best = lapTime(microseconds(player.best_lap_s ?? 0));
    const { position, name, car, laps } = player;
    const known = knownAs(player);
    const texts = [String(position), name, known, car, String(laps), best, whereabouts(player)];
    texts.forEach((text, i) => setText(i === 1 ? this.name : this.cells[i]!, text));
    setAttribute(this.name, 'title', `${name}: show on the map`);
    setAttribute(this.cells[2]!, 'title', player.driver ?? null); // all of it, to be copied
    setClass(this.element, 'is-gone', !player.present);
    this.kick.setAttribute('aria-label', `Remove ${name}`);
    this.kick.hidden = !player.present;
  }
}
