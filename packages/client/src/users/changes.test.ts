import { expect, it } from 'vitest';
import { type Fate, refusal, ScriptedFetch, silence } from '../../../../test/support/scripted-fetch.ts';
import { type FollowChanges, Larder } from '../index.ts';

const page = (cursor: string, ids: readonly string[], more = false) =>
  Response.json({ changes: ids.map((id) => ({ kind: 'entry', op: 'delete', id })), cursor, more });

function follow(fates: readonly Fate[], options?: FollowChanges) {
  const script = new ScriptedFetch(fates);
  const larder = new Larder({ url: 'http://food.test', key: 'k', fetch: script.fetch });
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
