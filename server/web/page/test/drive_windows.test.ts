// Windows of one browser ask each other which of them drives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Windows, type Channel } from '../src/drive/windows';

/** Channels of one name: each hears what the others say, a moment later. */
class Air {
  readonly channels: Channel[] = [];

  join(): Channel {
    const channel: Channel = {
      onmessage: null,
      postMessage: (message) => {
        for (const other of this.channels) {
          if (other === channel) continue;
          setImmediate(() => other.onmessage?.({ data: message } as MessageEvent));
        }
      },
      close: () => void this.channels.splice(this.channels.indexOf(channel), 1),
    };
    this.channels.push(channel);
    return channel;
  }
}

test('a window that drives says so, one that watches does not', async () => {
  const air = new Air();
  const [first, second, third] = ['a', 'b', 'c'].map((id) => new Windows(id, air.join())) as [
    Windows,
    Windows,
    Windows,
  ];
  first.holdsWheel(true);
  assert.equal(await second.otherHolds(), true);
  assert.equal(await third.otherHolds(), true);
  first.holdsWheel(false);
  const beganMs = performance.now();
  assert.equal(await second.otherHolds(), false);
  assert.ok(performance.now() - beganMs < 5000); // nobody waits for ever for a window that is gone
});

test('an answer to another window is none of ours', async () => {
  const air = new Air();
  const window = new Windows('a', air.join());
  const stranger = air.join();
  const answer = window.otherHolds();
  for (const word of [null, 7, {}, { kind: 'drives' }, { kind: 'drives', to: 'b' }, 'drives']) {
    stranger.postMessage(word);
  }
  assert.equal(await answer, false);
});

test('where windows cannot speak nobody answers', async () => {
  assert.equal(await new Windows('a', null).otherHolds(), false);
});
