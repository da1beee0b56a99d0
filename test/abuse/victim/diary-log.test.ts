import { expect, test } from 'vitest';
import { DiaryLog } from './diary-log.ts';

test('confirmed entries must exist once, unconfirmed ones may exist', () => {
  const log = new DiaryLog();
  const [first, second, third] = [log.next(), log.next(), log.next()];
  expect(new Set([first.mark, second.mark, third.mark]).size).toBe(3);
  log.confirm(first);
  log.confirm(second);
  const listed = (...marks: string[]) => marks.map((foodName) => ({ foodName }));
  expect(log.problems(first.date, listed(first.mark, second.mark))).toEqual([]);
  expect(log.problems(first.date, listed(third.mark, second.mark, first.mark))).toEqual([]);
  expect(log.problems(first.date, listed(first.mark))).toEqual([
    `${first.date}: ${second.mark} was confirmed and is lost`,
  ]);
  expect(log.problems(first.date, listed(first.mark, second.mark, third.mark, third.mark))).toEqual([
    `${first.date}: ${third.mark} is there twice`,
  ]);
});

test('entries are spread over days and counted together', () => {
  const log = new DiaryLog();
  for (let at = 0; at < 100; at++) log.confirm(log.next());
  expect(log.dates).toEqual(['2030-01-01', '2030-01-02', '2030-01-03']);
  expect(log.count).toBe(100);
});
