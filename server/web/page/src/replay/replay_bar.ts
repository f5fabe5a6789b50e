// The replay bar plays, pauses, steps and seeks in a recording.
import './replay_bar.css';
import type { Playback, RosterEntry, Session } from '../race/race';
import { el, iconButton, isTyping, setAttribute, setClass, setText } from '../ui/dom';
import { raceTime } from '../ui/format';
import type { View } from '../ui/view';
import { actionOf, COMMON_KEYS, type Action } from './replay_keys';
import { PlayClock } from './play_clock';
import { Seeker } from './seeker';
import { Slider } from './slider';
import { nextSpeed, speedChoices, speedText, speedWords } from './speeds';
import { nextMark, Timeline } from './timeline';

const LEAD_S = 3; // ahead of a mark
const GROWING_MS = 30_000; // a server writes its recording every ten seconds

const ICONS = {
  play: 'M8 5.5v13l10.5-6.5z',
  pause: 'M7.5 5.5h3v13h-3zM13.5 5.5h3v13h-3z',
  again: 'M5 5v5h5M5.6 10a7 7 0 1 1-.6 4',
  back: 'M6 5v14M18 6l-8 6 8 6z',
  on: 'M18 5v14M6 6l8 6-8 6z',
  frameBack: 'M15 6l-6 6 6 6',
  frameOn: 'M9 6l6 6-6 6',
} as const;

/** Plays a recording: what the keys and buttons of any player do, and a line with what happened. */
export class ReplayBar implements View {
  readonly element: HTMLElement;
  private readonly slider: Slider;
  private readonly play = iconButton('Play', ICONS.play, () => this.act({ do: 'toggle' }), {
    class: 'icon-button replay-play',
  });
  private readonly now = el('b');
  private readonly total = el('span', { class: 'replay-total' });
  private readonly raceName = el('span', { class: 'replay-race' });
  private readonly growing = el('span', { class: 'replay-growing' }, el('span', {}, 'recording'));
  private readonly speed = el('select', { class: 'replay-speed', 'aria-label': 'Speed' });
  private readonly spoken = el('p', { class: 'visually-hidden', role: 'status' });
  private readonly clock = new PlayClock();
  private readonly seeker = new Seeker();
  private session: Session | null = null;
  private known: Playback | null = null;
  private line = new Timeline([], 0, 60);
  private roster: readonly RosterEntry[] | null = null;
  private readonly names = new Map<number, string>();
  private nowMs = 0;
  private grownMs = -Infinity;
  private speedShown = 0;
  private playIcon = '';
  private wished: boolean | null = null; // to play, or not; until the server has answered
  private wishedSpeed: number | null = null; // likewise
  private isMoved = false; // by keys, and to be told when it is there
  private wasConnected = false;
  private readonly heard = (event: KeyboardEvent) => this.key(event);

  constructor() {
    this.slider = new Slider({
      onDrag: (tick) => this.send(this.seeker.want(tick, this.known, this.nowMs)),
      onDrop: (tick) => this.send(this.seeker.settle(tick, this.known, this.nowMs)),
      nameOf: (player) => this.names.get(player) ?? null,
    });
    this.element = el(
      'section',
      { class: 'replay-bar panel', 'aria-label': 'Recording' },
      el('div', { class: 'replay-body' }, this.buttons(), this.slider.element, this.side()),
      this.spoken,
    );
    this.growing.hidden = true;
    this.speed.addEventListener('change', () => this.chooseSpeed(Number(this.speed.value)));
    document.addEventListener('keydown', this.heard);
  }

  frame(session: Session, nowMs: number): void {
    this.hear(session, nowMs);
    if (this.known === null) return;
    this.send(this.seeker.due(this.known, nowMs));
    this.slider.show(this.tickNow());
  }

  tick(session: Session): void {
    const { known, line } = this;
    this.hearRoster(session);
    if (known === null) return;
    const tick = this.tickNow();
    const isExact = !known.playing && this.slider.held === null;
    setText(this.now, line.text(tick, isExact));
    setText(this.total, ` / ${raceTime(line.totalUs(tick))}`);
    setText(this.raceName, line.races > 1 ? `Race ${line.race(tick)}` : '');
    this.slider.tell(`${line.text(tick, false)} of ${raceTime(line.totalUs(tick))}`);
    this.growing.hidden = this.nowMs - this.grownMs > GROWING_MS;
    setClass(this.element, 'is-seeking', known.seeking === true);
    this.showPlay(known, tick);
    this.showSpeed(this.wishedSpeed ?? known.speedPermille);
  }

  reset(): void {
    this.session = null;
    this.known = null;
    this.wished = this.wishedSpeed = null;
    this.clock.forget();
    this.seeker.forget();
    this.slider.forget();
    this.names.clear();
    this.roster = null;
    this.grownMs = -Infinity;
  }

  private hear(session: Session, nowMs: number): void {
    this.session = session;
    this.nowMs = nowMs;
    const playback = session.playback();
    if (playback === null || !this.clock.hear(playback, nowMs)) return;
    const before = this.known;
    this.known = playback;
    this.wished = this.wishedSpeed = null;
    const hz = session.welcome()?.tickHz ?? 60;
    const isLonger = before !== null && playback.lastTick > before.lastTick;
    if (isLonger) this.grownMs = nowMs;
    if (before?.marks !== playback.marks || before.lastTick !== playback.lastTick) {
      this.line = new Timeline(playback.marks, playback.lastTick, hz);
      this.slider.lay(this.line, playback.marks);
    }
    this.seeker.hear(playback, hz, nowMs);
    this.tell(before, playback);
  }

  /** Names stay known: marks are of all times. */
  private hearRoster(session: Session): void {
    const roster = session.roster();
    if (roster === this.roster) return;
    this.roster = roster;
    for (const entry of roster) this.names.set(entry.player, entry.name);
  }

  /** The tick at which it is, or to which it is going. */
  private tickNow(): number {
    const held = this.slider.held ?? this.seeker.goal();
    return held ?? this.clock.tick(this.nowMs, this.line.hz);
  }

  private isPlaying(known: Playback): boolean {
    return this.wished ?? known.playing;
  }

  private showPlay(known: Playback, tick: number): void {
    const isPlaying = this.isPlaying(known);
    const isOver = !isPlaying && tick >= known.lastTick;
    const icon = isPlaying ? ICONS.pause : isOver ? ICONS.again : ICONS.play;
    if (icon === this.playIcon) return;
    this.playIcon = icon;
    this.play.querySelector('path')?.setAttribute('d', icon);
    const label = isPlaying ? 'Pause' : isOver ? 'Play again' : 'Play';
    setAttribute(this.play, 'aria-label', label);
    setAttribute(this.play, 'title', `${label} (Space)`);
    setClass(this.play, 'is-again', isOver);
  }

  private showSpeed(speedPermille: number): void {
    if (speedPermille === this.speedShown) return;
    this.speedShown = speedPermille;
    const options = speedChoices(speedPermille).map((each) => {
      const option = el('option', { value: String(each) }, speedText(each));
      option.selected = each === speedPermille;
      return option;
    });
    this.speed.replaceChildren(...options);
  }

  /** Says what has changed, not what goes on. */
  private tell(before: Playback | null, now: Playback): void {
    const { line } = this;
    if (before === null) return;
    if (this.isMoved && this.seeker.goal() === null) {
      this.isMoved = false;
      setText(this.spoken, `At ${line.text(now.tick, false)}`);
    } else if (now.speedPermille !== before.speedPermille) {
      setText(this.spoken, speedWords(now.speedPermille));
    } else if (now.playing !== before.playing && now.seeking !== true) {
      setText(this.spoken, now.playing ? 'Playing' : `Paused at ${line.text(now.tick, false)}`);
    }
  }

  private send(tick: number | null): void {
    if (tick !== null) this.session?.play({ tick });
  }

  private act(action: Action): void {
    const { known, session, line } = this;
    if (known === null || session === null) return;
    switch (action.do) {
      case 'toggle':
        this.wished = !this.isPlaying(known);
        session.play({ playing: this.wished });
        break;
      case 'speed':
        this.chooseSpeed(nextSpeed(this.wishedSpeed ?? known.speedPermille, action.by));
        break;
      case 'frame':
        if (this.isPlaying(known)) session.play({ playing: (this.wished = false) });
        this.goTo(Math.floor(this.tickNow()) + action.by);
        break;
      case 'move':
        this.goTo(this.tickNow() + action.byS * line.hz);
        break;
      case 'mark':
        this.goTo(nextMark(known.marks, this.tickNow(), action.by, LEAD_S * line.hz));
        break;
      case 'go':
        this.goTo(action.to === 'start' ? 0 : line.lastTick);
        break;
    }
  }

  /** As soon as may be: keys are held down. */
  private goTo(tick: number | null): void {
    if (tick === null) return;
    this.isMoved = true;
    this.send(this.seeker.want(this.line.clamp(tick), this.known, this.nowMs));
  }

  private chooseSpeed(speedPermille: number): void {
    this.wishedSpeed = speedPermille;
    this.session?.play({ speedPermille });
  }

  private key(event: KeyboardEvent): void {
    if (!this.element.isConnected) {
      if (this.wasConnected) document.removeEventListener('keydown', this.heard);
      return;
    }
    this.wasConnected = true;
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const action = actionOf(event.key, event.shiftKey);
    if (action === null || !this.isMeant(event) || document.querySelector('dialog[open]')) return;
    if (event.repeat && action.do === 'toggle') return;
    event.preventDefault();
    this.act(action);
  }

  /** @return whether a key is for the recording, and not for what has the focus. */
  private isMeant(event: KeyboardEvent): boolean {
    const { target } = event;
    if (target === this.slider.input || !(target instanceof Element)) return true;
    if (isTyping(target)) return false;
    if (event.key === ' ') return !target.closest('button, a, summary, table, [role]');
    const isFree = target === document.body || this.element.contains(target);
    return isFree || !COMMON_KEYS.has(event.key);
  }

  private buttons(): HTMLElement {
    const one = (label: string, path: string, action: Action) =>
      iconButton(label, path, () => this.act(action));
    return el(
      'div',
      { class: 'replay-buttons' },
      one('What happened before ([)', ICONS.back, { do: 'mark', by: -1 }),
      one('A frame back (,)', ICONS.frameBack, { do: 'frame', by: -1 }),
      this.play,
      one('A frame on (.)', ICONS.frameOn, { do: 'frame', by: 1 }),
      one('What happens next (])', ICONS.on, { do: 'mark', by: 1 }),
    );
  }

  private side(): HTMLElement {
    const time = el('span', { class: 'replay-time' }, this.now, this.total);
    return el('div', { class: 'replay-side' }, this.growing, this.raceName, time, this.speed);
  }
}
