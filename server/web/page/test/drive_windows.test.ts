// Windows of one browser ask each other which of them drives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Windows, type Channel } from '../src/drive/windows';

const later = setImmediate; // no test's clock stops it

/** Channels of one name: each hears what the others say, a moment later. */
class Air {
  readonly channels: Channel[] = [];

  join(): Channel {
    const channel: Channel = {
      onmessage: null,
      postMessage: (message) => {
        for (const other of this.channels) {
          if (other === channel) continue;
          later(() => other.onmessage?.({ data: message } as MessageEvent));
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
});

test('a busy window has time to answer, one that is gone has not for ever', async ({ mock }) => {
  mock.timers.enable();
  const air = new Air();
  const [first, second] = [new Windows('a', air.join()), new Windows('b', air.join())];
  first.holdsWheel(true);
  const answer = second.otherHolds();
  mock.timers.tick(2900); // before the first one has heard of it
  assert.equal(await answer, true);
  first.holdsWheel(false);
  const none = second.otherHolds();
  mock.timers.tick(3000);
  assert.equal(await none, false);
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
