import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createCounterMemory, SharedCounters } from '../counters/memory/counters.ts';
import { openDatabase } from '../db/sqlite/database.ts';
import { RequestLimiter } from '../limits/request-limiter.ts';
import { Confirmation } from './confirmation.ts';
import { deviceMark } from './known-device.ts';
import { Challenges } from './passkeys/challenges.ts';
import { PasskeyStore } from './passkeys/passkey-store.ts';
import { Passkeys, siteAt } from './passkeys/passkeys.ts';
import { Passwords } from './passwords.ts';
import { People } from './people.ts';
import { PeopleStore } from './people-store.ts';
import { Sessions, secretHash } from './sessions.ts';

const PASSWORD = 'eggs and toast';
let nowMs = 1_800_000_000_000;
let people: People;
let mark: string;
beforeEach(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'larder-people-'));
  const db = await openDatabase({ file: join(dir, 'larder.db') });
  const store = new PeopleStore(db);
  const counters = new SharedCounters({ memory: createCounterMemory({ randomBytes, buckets: 64 }) });
  const limiter = new RequestLimiter({ counters, ownCounters: counters, nowMs: () => nowMs });
  const sessions = new Sessions({ store, nowMs: () => nowMs });
  const challenges = new Challenges({ secret: randomBytes(32), nowMs: () => nowMs });
  people = new People({
    store,
    sessions,
    confirmation: new Confirmation({ sessions, methods: [], maxAgeMs: 300_000, nowMs: () => nowMs }),
    passkeys: new Passkeys({ store: new PasskeyStore(db), challenges, nowMs: () => nowMs }),
    passwords: new Passwords(),
    limiter,
    nowMs: () => nowMs,
    onOwner: async () => {},
  });
  await store.addOwnerLink(secretHash('link'));
  mark = deviceMark((await people.join({ link: 'link', name: 'Ann', password: PASSWORD })).password!);
  return async () => {
    await db.close();
    await rm(dir, { recursive: true });
  };
});

async function signIn(
  network: number,
  { password = PASSWORD, mark: known = undefined as string | undefined } = {},
) {
  const address = `198.51.100.${network}`;
  return people
    .signIn({ name: 'ann', password, address, mark: known, site: siteAt('https://larder.test') })
    .then(
      () => 'in',
      (error) => error.code,
    );
}

test('guesses from many networks end after a hundred a minute, and known devices go on', async () => {
  for (let at = 0; at < 100; at++) expect(await signIn(at % 10, { password: `${at}` })).toBe('forbidden');
  expect(await signIn(0)).toBe('rate_limit_exceeded');
  expect(await signIn(200)).toBe('rate_limit_exceeded');
  expect(await signIn(200, { mark: 'a'.repeat(43) })).toBe('rate_limit_exceeded');
  expect(await signIn(200, { mark })).toBe('in');
  // The mark is no way around the limit for one device.
  for (let at = 0; at < 9; at++) expect(await signIn(at, { password: 'x', mark })).toBe('forbidden');
  expect(await signIn(200, { mark })).toBe('rate_limit_exceeded');
  nowMs += 60_000;
  expect(await signIn(200)).toBe('in');
});
