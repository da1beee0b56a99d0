import { expect, it } from 'vitest';
import {
  brokenConnection,
  type Fate,
  refusal,
  ScriptedFetch,
  silence,
} from '../../../../test/support/scripted-fetch.ts';
import { type FollowChanges, Larder, type Retry } from '../index.ts';

const page = (cursor: string, ids: readonly string[], more = false) =>
  Response.json({ changes: ids.map((id) => ({ kind: 'entry', op: 'delete', id })), cursor, more });

function follow(fates: readonly Fate[], options?: FollowChanges, onRetry?: (retry: Retry) => void) {
  const script = new ScriptedFetch(fates);
  const larder = new Larder({ url: 'http://food.test', key: 'k', fetch: script.fetch, onRetry });
  return {
    pages: larder.user('ann').changes(options),
    queries: () => script.sent.map(({ url }) => new URL(url).search),
  };
}

it('begin after a cursor, wait for changes, and yield pages that contain some', async () => {
  const { pages, queries } = follow(
    [page('b', ['1'], true), page('c', ['2']), page('d', []), page('e', ['3'])],
    {
      after: 'a',
      limit: 5,
    },
  );
  const cursors = [];
  for await (const { cursor } of pages) {
    cursors.push(cursor);
    if (cursor === 'e') break;
  }
  expect(cursors).toEqual(['b', 'c', 'e']);
  expect(queries()).toEqual([
    '?after=a&limit=5',
    '?after=b&limit=5&wait=25',
    '?after=c&limit=5&wait=25',
    '?after=d&limit=5&wait=25',
  ]);
});

it('yield an empty first page, so that the reader knows that there is nothing more', async () => {
  expect((await follow([page('a', [])]).pages.next()).value).toEqual({
    changes: [],
    cursor: 'a',
    more: false,
  });
});

it('end with the error of an old cursor, and with the signal', async () => {
  const expired = follow([refusal(410, 'cursor_expired')], { after: 'old' });
  await expect(expired.pages.next()).rejects.toMatchObject({ code: 'cursor_expired' });
  const leaving = new AbortController();
  const waiting = follow([silence], { signal: leaving.signal }).pages.next();
  leaving.abort('left');
  await expect(waiting).rejects.toBe('left');
});

it('wait while the service cannot be reached, however long, and go on after the last cursor', async () => {
  const outage = [
    brokenConnection(),
    () => refusal(503, 'unavailable', { 'retry-after': '0' }),
    () => refusal(500, 'internal_error', { 'retry-after': '0' }),
    () => refusal(429, 'rate_limit_exceeded', { 'retry-after': '0' }),
    new Response('<html>', { status: 404, headers: { 'retry-after': '0' } }),
  ];
  const retries: Retry[] = [];
  const { pages, queries } = follow(
    [page('b', ['1']), ...outage, page('c', ['2'])],
    { after: 'a' },
    (retry) => retries.push(retry),
  );
  const cursors = [];
  for await (const { cursor } of pages) if (cursors.push(cursor) === 2) break;
  expect(cursors).toEqual(['b', 'c']);
  expect(queries()).toEqual(['?after=a', ...Array(6).fill('?after=b&wait=25')]);
  expect(retries.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
});

it('wait longer and longer up to half a minute, and stop when the caller does', async () => {
  const leaving = new AbortController();
  const waits: number[] = [];
  const outage = Array.from({ length: 40 }, () => () => refusal(503, 'unavailable', { 'retry-after': '0' }));
  const { pages } = follow(
    [...outage, brokenConnection()],
    { signal: leaving.signal },
    ({ attempt, waitMs }) => {
      waits.push(waitMs);
      if (attempt === 41) leaving.abort('left');
    },
  );
  await expect(pages.next()).rejects.toBe('left');
  expect(waits.slice(0, 40)).toEqual(Array(40).fill(0));
  expect(waits[40]).toBeGreaterThanOrEqual(15_000);
  expect(waits[40]).toBeLessThanOrEqual(30_000);
});

it('end after the repetitions that the caller allows', async () => {
  const { pages, queries } = follow([brokenConnection()], { maxRetries: 0 });
  await expect(pages.next()).rejects.toMatchObject({ code: 'connection_failed' });
  expect(queries()).toHaveLength(1);
});
