// The keys of a recording: what each does, and their list for the help.

/** The action that a key asks of a recording. */
export type Action =
  | { do: 'toggle' }
  | { do: 'move'; byS: number }
  | { do: 'frame'; by: 1 | -1 }
  | { do: 'mark'; by: 1 | -1 }
  | { do: 'speed'; by: 1 | -1 }
  | { do: 'go'; to: 'start' | 'end' };

const STEP_S = 5;
const STRIDE_S = 30;
const PAGE_S = 60;

/** Keys that mean something to much else, too: only where nothing else has the focus. */
export const COMMON_KEYS: ReadonlySet<string> = new Set([
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Home',
  'End',
  'PageUp',
  'PageDown',
]);

export function actionOf(key: string, isShift: boolean): Action | null {
  const stepS = isShift ? STRIDE_S : STEP_S;
  switch (key) {
    case ' ':
      return { do: 'toggle' };
    case 'ArrowLeft':
    case 'ArrowDown':
      return { do: 'move', byS: -stepS };
    case 'ArrowRight':
    case 'ArrowUp':
      return { do: 'move', byS: stepS };
    case 'PageDown':
      return { do: 'move', byS: -PAGE_S };
    case 'PageUp':
      return { do: 'move', byS: PAGE_S };
    case 'Home':
      return { do: 'go', to: 'start' };
    case 'End':
      return { do: 'go', to: 'end' };
    case ',':
      return { do: 'frame', by: -1 };
    case '.':
      return { do: 'frame', by: 1 };
    case '[':
      return { do: 'mark', by: -1 };
    case ']':
      return { do: 'mark', by: 1 };
    case '<':
      return { do: 'speed', by: -1 };
    case '>':
      return { do: 'speed', by: 1 };
    default:
      return null;
  }
}

/** For a list of keys. */
export const REPLAY_KEYS: readonly { shown: string; words: string }[] = [
  { shown: 'Space', words: 'play or pause the recording' },
  { shown: '← →', words: 'five seconds back or on; with Shift thirty' },
  { shown: ', .', words: 'a frame back or on' },
  { shown: '[ ]', words: 'what happened before, what happens next' },
  { shown: '< >', words: 'slower, faster' },
  { shown: 'Home End', words: 'to the beginning, to the end' },
];
