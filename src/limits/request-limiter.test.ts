import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ApiKey } from '../access/api-key.ts';
import type { LimitDecision } from '../counters/counters.ts';
import { createCounterMemory, SharedCounters } from '../counters/memory/counters.ts';
import { ANONYMOUS_LIMIT, DEFAULT_LIMITS, LIMITED_OPERATIONS, totalOf } from './operations.ts';
import { RequestLimiter, type Times } from './request-limiter.ts';

const NOW_MS = 1_800_000_000_000;

function openCounters() {
  return new SharedCounters({ memory: createCounterMemory({ randomBytes, buckets: 64 }) });
}

/** A node that shares the given counters. */
function create(counters = openCounters()) {
  const limiter = new RequestLimiter({ counters, ownCounters: openCounters(), nowMs: () => NOW_MS });
  return {
    peek: (...question: Parameters<RequestLimiter['peek']>) => limiter.peek(...question),
    take(...request: Parameters<RequestLimiter['takeNow']>): LimitDecision {
      const decision = limiter.takeNow(...request);
      if (decision === undefined) throw new Error('nothing was counted at once');
      return decision;
    },
    takeTimes: (...request: Parameters<RequestLimiter['take']>) => limiter.take(...request),
  };
}
const key = (id: string, limits?: ApiKey['limits']): ApiKey => ({
  id,
  tenant: 'acme',
  scopes: ['foods:read'],
  createdAt: 0,
  ...(limits !== undefined && { limits }),
});

test.each(LIMITED_OPERATIONS)('%s has the limit of the table, counted separately', (operation) => {
  const limiter = create();
  const subject = { key: key('a') };
  // What has a total counts for that, too.
  const others = LIMITED_OPERATIONS.filter((other) => other !== operation && totalOf(other) !== operation);
  for (const other of others) limiter.take(other, subject);
  for (let asked = 1; asked <= DEFAULT_LIMITS[operation]; asked++) {
    expect(limiter.take(operation, subject)).toMatchObject({
      allowed: true,
      limit: DEFAULT_LIMITS[operation],
      remaining: DEFAULT_LIMITS[operation] - asked,
    });
  }
  expect(limiter.take(operation, subject)).toMatchObject({ allowed: false, remaining: 0 });
});

test('each key is counted separately', () => {
  const limiter = create();
  for (let asked = 0; asked < 200; asked++) limiter.take('search', { key: key('a') });
  expect(limiter.take('search', { key: key('b') }).allowed).toBe(true);
});

test('each user with a token of a key is counted separately from the key', () => {
  const limiter = create();
  for (let asked = 0; asked < 200; asked++) limiter.take('search', { key: key('a'), userId: 'ann' });
  expect(limiter.take('search', { key: key('a'), userId: 'ann' }).allowed).toBe(false);
  expect(limiter.take('search', { key: key('a'), userId: 'bob' }).allowed).toBe(true);
  expect(limiter.take('search', { key: key('a') }).remaining).toBe(DEFAULT_LIMITS.search - 1);
});

test('searches of all users of a key count towards its total; those of a user without any left do not', () => {
  const limiter = create();
  const limited = key('a', { search: 5, searchTotal: 12 });
  const search = (userId?: string) =>
    limiter.take('search', { key: limited, ...(userId !== undefined && { userId }) });
  for (let asked = 1; asked <= 5; asked++) expect(search('ann')).toMatchObject({ remaining: 5 - asked });
  for (let asked = 0; asked < 50; asked++) expect(search('ann')).toMatchObject({ allowed: false, limit: 5 });
  for (let asked = 1; asked <= 5; asked++) expect(search('bob').allowed).toBe(true);
  expect(search()).toMatchObject({ allowed: true, limit: 12, remaining: 1 });
  expect(search('cid')).toMatchObject({ allowed: true, limit: 12, remaining: 0 });
  expect(search('dan')).toMatchObject({ allowed: false, limit: 12, remaining: 0 });
});

test('the total of a key is at least the limit of one of its users', () => {
  expect(create().take('searchTotal', { key: key('a', { search: 9_000 }) }).limit).toBe(9_000);
  const { limit, remaining } = create().take('search', { key: key('a', { search: 9_000, searchTotal: 10 }) });
  expect([limit, remaining]).toEqual([9_000, 8_999]);
});

test('a key’s own limits replace the defaults where they exist', () => {
  const limiter = create();
  const subject = { key: key('a', { search: 2 }) };
  expect(limiter.take('search', subject)).toMatchObject({ limit: 2, remaining: 1 });
  expect(limiter.take('barcode', subject).limit).toBe(DEFAULT_LIMITS.barcode);
});

test('a request that counts as several is allowed as a whole, and counts at most as much as the limit', async () => {
  const limiter = create();
  const subject = { key: key('a', { search: 5 }) };
  const take = (all: number, counted: Times['counted']) =>
    limiter.takeTimes('search', subject, { all, counted });
  expect(await take(2, 'not')).toMatchObject({ allowed: true, remaining: 3 });
  expect(await take(4, 'not')).toMatchObject({ allowed: false, remaining: 3 });
  expect(await take(4, 'whole')).toMatchObject({ allowed: true, remaining: 0 });
  expect(await create().takeTimes('search', subject, { all: 20, counted: 'not' })).toMatchObject({
    allowed: true,
    remaining: 0,
  });
  expect(await create().takeTimes('search', subject, { all: 20, counted: 'whole' })).toMatchObject({
    allowed: true,
    remaining: 1,
  });
  expect(await take(1, 'whole')).toBeUndefined();
});

test('an address has one count for all operations', () => {
  const limiter = create();
  for (let asked = 0; asked < ANONYMOUS_LIMIT; asked++) {
    const operation = LIMITED_OPERATIONS[asked % LIMITED_OPERATIONS.length]!;
    expect(limiter.take(operation, { address: '192.0.2.7' })).toMatchObject({
      allowed: true,
      limit: ANONYMOUS_LIMIT,
    });
  }
  expect(limiter.take('other', { address: '::ffff:192.0.2.7' }).allowed).toBe(false);
  expect(limiter.take('other', { address: '192.0.2.8' }).allowed).toBe(true);
});

test('peeking at an address returns its state without counting', async () => {
  const limiter = create();
  const address = '192.0.2.7';
  for (let asked = 0; asked < ANONYMOUS_LIMIT; asked++) {
    expect(await limiter.peek({ address })).toMatchObject({
      allowed: true,
      remaining: ANONYMOUS_LIMIT - asked,
    });
    limiter.take('token', { address });
  }
  expect(await limiter.peek({ address: '::ffff:192.0.2.7' })).toMatchObject({ allowed: false, remaining: 0 });
  expect(await limiter.peek({ address: '192.0.2.8' })).toMatchObject({ allowed: true });
});

test('health checks are counted by address, on each node and separately from other requests', () => {
  const shared = openCounters();
  const [first, second] = [create(shared), create(shared)];
  const address = '192.0.2.7';
  for (let asked = 0; asked <= ANONYMOUS_LIMIT; asked++) first.take('other', { address });
  expect(second.take('other', { address }).allowed).toBe(false);
  for (let asked = 1; asked <= ANONYMOUS_LIMIT; asked++) {
    const remaining = ANONYMOUS_LIMIT - asked;
    expect(first.take('other', { prober: address })).toMatchObject({ allowed: true, remaining });
  }
  expect(first.take('other', { prober: '::ffff:192.0.2.7' }).allowed).toBe(false);
  expect(first.take('other', { prober: '192.0.2.8' }).allowed).toBe(true);
  expect(second.take('other', { prober: address }).allowed).toBe(true);
});
