// Invitations: read from a link, taken out of the address, kept as long as they are good.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invitationOf, takeInvitation } from '../src/identity/invitation';
import { adviceOn, refusalText, spendsToken } from '../src/identity/refusals';
import { isSpent, tokenBytes } from '../src/identity/token';
import { comesAgain } from '../src/shell/backoff';
import { sentence } from '../src/shell/status_banner';

/** As much of a token as the page looks into. */
function token(expiresS: number, length = 220): string {
  const bytes = new Uint8Array(length).fill(0xfb); // of which base64 makes + and /
  bytes.set([0x41, 0x50, 0x58, 0x54, 1, 0]);
  new DataView(bytes.buffer).setBigUint64(26, BigInt(expiresS), true);
  return Buffer.from(bytes).toString('base64url');
}

const GOOD = token(1_000_000);

test('a fragment gives a password, a token, or both', () => {
  const read = (hash: string) => {
    const invitation = invitationOf(hash);
    return invitation && [invitation.password, invitation.token, invitation.isDamaged];
  };
  assert.deepEqual(read('#password=sesame'), ['sesame', null, false]);
  assert.deepEqual(read(`#password=s&token=${GOOD}`), ['s', GOOD, false]);
  assert.deepEqual(read(`#token=${GOOD}&password=s`), ['s', GOOD, false]);
  assert.deepEqual(read('#password=a%26b%20c+d=e'), ['a&b c+d=e', null, false]);
  assert.deepEqual(read('#password=50%'), ['50%', null, false], 'written by hand');
  for (const hash of ['', '#', '#top', '#password=', '#xpassword=a', '#Password=a', '#token=']) {
    assert.equal(invitationOf(hash), null, hash);
  }
  assert.deepEqual(read('#token=x'), [null, null, true]);
  assert.deepEqual(read('#password=s&token=%00'), ['s', null, true]);
});

test('it is taken out of the address, and other fragments are left', () => {
  const put: unknown[] = [];
  const world = (hash: string) => ({
    location: { hash, pathname: '/race/1', search: '?car=Ada' },
    history: { state: 7, replaceState: (...all: unknown[]) => void put.push(all) },
  });
  assert.equal(takeInvitation(world('#password=sesame'))?.password, 'sesame');
  assert.deepEqual(put.splice(0), [[7, '', '/race/1?car=Ada']]);
  assert.equal(takeInvitation(world('#top')), null);
  assert.deepEqual(put, []);
  const full = world('#password=sesame');
  full.history.replaceState = () => {
    throw new Error('too often');
  };
  assert.equal(takeInvitation(full)?.password, 'sesame');
});

test('a token is base64url of what begins as one', () => {
  assert.equal(tokenBytes(GOOD)?.length, 220);
  assert.equal(tokenBytes(GOOD)?.[219], 0xfb);
  assert.ok(/[-_]/.test(GOOD), 'the letters that base64 has not');
  assert.equal(tokenBytes(token(1, 400))?.length, 400);
  const bad = ['', `${GOOD}=`, `${GOOD} `, token(1, 401), token(1, 90), `B${GOOD.slice(1)}`,
    GOOD.slice(0, 285), '<script>'];
  for (const text of bad) assert.equal(tokenBytes(text), null, text);
});

test('a token is good until half a minute after it expires', () => {
  assert.equal(isSpent(GOOD, 1_000_030_000), false);
  assert.equal(isSpent(GOOD, 1_000_030_001), true);
  assert.equal(isSpent('x', 0), true);
});

const reason = (name: string, text = 'words of the server') => ({ name, text });

test('a refusal over who one is says what to do', () => {
  assert.match(adviceOn(reason('key-needed')) ?? '', /Switch off “Drive as a guest”/);
  assert.match(adviceOn(reason('name-held')) ?? '', /Choose another name.*import/);
  assert.match(adviceOn(reason('not-listed')) ?? '', /Send your fingerprint/);
  assert.match(adviceOn(reason('lockdown')) ?? '', /Try again later/);
  for (const name of ['key', 'token-needed', 'token-invalid', 'token-issuer', 'token-audience',
    'token-early', 'token-expired', 'token-holder', 'token-used']) {
    assert.match(adviceOn(reason(name)) ?? '', /[Ll]oad|Open|[Aa]sk|Wait/, name);
    assert.equal(sentence(reason(name)), adviceOn(reason(name)), 'on the banner, too');
  }
  assert.equal(adviceOn(reason('race-full')), null);
  assert.equal(adviceOn(null), null);
  assert.equal(refusalText(reason('race-full')), 'words of the server');
  assert.equal(refusalText(reason('race-full', '')), 'The server said no: race-full.');
  assert.equal(refusalText(reason('token-used')), adviceOn(reason('token-used')));
});

test('what asking again cannot change is not asked again', () => {
  for (const name of ['key', 'key-needed', 'name-held', 'not-listed', 'token-needed',
    'token-expired']) {
    assert.equal(comesAgain(reason(name)), false, name);
  }
  assert.equal(comesAgain(reason('lockdown')), true);
});

test('a token that opens nothing here is spent, one that is early or asked for is not', () => {
  for (const name of ['invalid', 'issuer', 'audience', 'expired', 'holder', 'used']) {
    assert.equal(spendsToken(reason(`token-${name}`)), true, name);
  }
  for (const name of ['token-early', 'token-needed', 'key', 'password', 'lockdown']) {
    assert.equal(spendsToken(reason(name)), false, name);
  }
});
