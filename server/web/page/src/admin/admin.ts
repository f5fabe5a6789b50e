// The operator's page asks for the status of all races every two seconds and shows a panel of each.
import './admin.css';
import { api, ApiError, listOf, type RaceInfo } from '../ui/api';
import { button, el } from '../ui/dom';
import { pageFrame } from '../ui/page_frame';
import { ask, isToken, refusalText, Token } from './orders';
import { RacePanel, type LiveView } from './race_panel';
import type { RaceStatus } from './status';

const POLL_MS = 2000;

/** The page for operators: the state of the races, and orders to them. */
export class AdminPage {
  readonly element: HTMLElement;
  private readonly token = new Token();
  private readonly field: HTMLInputElement;
  private readonly message = el('p', { class: 'sheet-status', role: 'alert' });
  private readonly form: HTMLFormElement;
  private readonly inside = el('div', { class: 'admin-inside' });
  private readonly panels = new Map<number, RacePanel>();
  private polledMs = -Infinity;
  private isIn = false;
  private isBusy = false;
  private isOver = false;

  constructor(
    buttons: readonly HTMLElement[],
    private readonly liveOf: (race: number) => LiveView,
  ) {
    this.field = el('input', {
      type: 'password',
      id: 'token',
      autocomplete: 'current-password',
      required: '',
      spellcheck: 'false',
    });
    this.form = this.makeForm();
    const out = button('Forget the token', () => this.leave('The token is forgotten.'), {
      class: 'button small',
    });
    this.inside.append(el('div', { class: 'admin-out' }, out));
    this.inside.hidden = true;
    this.element = pageFrame('Operate', buttons, [el('a', { href: '/?list=1' }, 'Races')]);
    const main = el('main', { class: 'sheet-main admin' }, this.form, this.message, this.inside);
    this.element.append(main);
  }

  start(): void {
    document.title = 'Operate · Apex';
    if (this.token.value === '') this.field.focus();
    else void this.load();
  }

  beat(nowMs: number): void {
    for (const panel of this.panels.values()) panel.beat(nowMs);
    if (!this.isIn || document.hidden || nowMs - this.polledMs < POLL_MS) return;
    this.polledMs = nowMs;
    void this.load();
  }

  end(): void {
    this.isOver = true;
    this.dropPanels();
  }

  private makeForm(): HTMLFormElement {
    const form = el(
      'form',
      { class: 'admin-form' },
      el('input', { type: 'text', autocomplete: 'username', value: 'operator', hidden: '' }),
      el('label', { for: 'token' }, 'Operator token'),
      this.field,
      el('button', { type: 'submit', class: 'button primary' }, 'Go in'),
      el(
        'p',
        { class: 'admin-hint' },
        'The token stands in the race file of this server. It is kept in this tab alone.',
      ),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (!isToken(text)) {
        this.say('A token has letters, digits and signs, but no blanks.');
        return;
      }
      this.token.set(text);
      this.field.value = '';
      void this.load();
    });
    return form;
  }

  private async load(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      const races = listOf<RaceInfo>(await api<unknown>('/api/races'));
      const token = this.token.value;
      const statuses = await Promise.all(
        races.map((race) => ask<RaceStatus>(token, `/api/races/${race.id}/status`)),
      );
      if (this.isOver || token !== this.token.value) return;
      this.show(races, statuses);
    } catch (error) {
      this.failed(error);
    } finally {
      this.isBusy = false;
    }
  }

  private show(races: RaceInfo[], statuses: RaceStatus[]): void {
    this.isIn = true;
    this.form.hidden = true;
    this.inside.hidden = false;
    this.say('');
    const there = new Set(races.map((race) => race.id));
    for (const [id, panel] of this.panels) {
      if (there.has(id)) continue;
      panel.end();
      this.panels.delete(id);
    }
    races.forEach((race, i) => {
      let panel = this.panels.get(race.id);
      if (panel === undefined) {
        panel = new RacePanel(
          race.id,
          this.liveOf(race.id),
          () => this.token.value,
          () => void this.load(),
        );
        this.panels.set(race.id, panel);
        this.inside.append(panel.element);
      }
      panel.show(race, statuses[i]!);
    });
  }

  private failed(error: unknown): void {
    if (this.isOver) return;
    const isRefused = error instanceof ApiError && (error.status === 401 || error.status === 403);
    if (isRefused) this.leave(refusalText(error));
    else this.say(`${refusalText(error)} Trying again…`);
  }

  private leave(why: string): void {
    this.token.set('');
    this.isIn = false;
    this.form.hidden = false;
    this.inside.hidden = true;
    this.dropPanels();
    this.say(why);
    this.field.focus();
  }

  private dropPanels(): void {
    for (const panel of this.panels.values()) panel.end();
    this.panels.clear();
  }

  private say(text: string): void {
    if (this.message.textContent !== text) this.message.textContent = text;
    this.message.hidden = text === '';
  }
}
