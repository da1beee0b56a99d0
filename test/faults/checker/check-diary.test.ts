import { describe, expect, test } from 'vitest';
import type { AddRecord, ChangeRecord, DiaryRecord, SeenEntry } from '../history-record.ts';
import { checkDiary } from './check-diary.ts';

/** Handmade histories: each request has two times and a result. */
type Times = readonly [startMs: number, endMs: number];

const request = ([startMs, endMs]: Times, status: number) => ({
  client: 'phone',
  diary: 'ann 2030-01-01',
  startMs,
  endMs,
  status,
});
const seen = (...pairs: string[]): SeenEntry[] =>
  pairs.map((pair) => ({ id: pair.split('=')[0]!, mark: pair.split('=')[1]! }));
const marksOf = (entries: readonly SeenEntry[]) => entries.map(({ mark }) => mark);

const add = (times: Times, ...pairs: string[]): AddRecord => ({
  kind: 'add',
  ...request(times, 201),
  marks: marksOf(seen(...pairs)),
  added: seen(...pairs),
});
/** The outcome is unknown. */
const tryToAdd = (times: Times, ...marks: string[]): AddRecord => ({
  kind: 'add',
  ...request(times, 503),
  marks,
});
const list = (times: Times, ...pairs: string[]): DiaryRecord => ({
  kind: 'list',
  ...request(times, 200),
  entries: seen(...pairs),
});
const read = (times: Times, entry: string, mark: string, version: number): DiaryRecord => ({
  kind: 'read',
  ...request(times, 200),
  entry,
  mark,
  version,
});
const change = (
  times: Times,
  entry: string,
  mark: string,
  version: number,
  ifMatch?: number,
): ChangeRecord => ({
  kind: 'change',
  ...request(times, 200),
  entry,
  mark,
  version,
  ...(ifMatch !== undefined && { ifMatch }),
});
const remove = (times: Times, entry: string, status = 204): DiaryRecord => ({
  kind: 'remove',
  ...request(times, status),
  entry,
});
const totals = (times: Times, count: number): DiaryRecord => ({
  kind: 'totals',
  ...request(times, 200),
  count,
});

const rulesBroken = (...records: DiaryRecord[]) => checkDiary(records).map(({ rule }) => rule);

describe('a valid history', () => {
  test.each<[string, DiaryRecord[]]>([
    ['is empty', []],
    ['is read as it was written', [add([0, 1], 'a=1'), list([2, 3], 'a=1'), totals([2, 3], 1)]],
    ['sees a write that is under way, or not', [add([0, 9], 'a=1'), list([1, 2]), list([3, 4], 'a=1')]],
    ['keeps a write whose answer got lost', [tryToAdd([0, 1], '1'), list([2, 3], 'a=1'), totals([2, 3], 1)]],
    ['misses a write whose answer got lost', [tryToAdd([0, 1], '1'), list([2, 3]), totals([2, 3], 0)]],
    ['has that write later: its server was slow', [tryToAdd([0, 1], '1'), list([2, 3]), list([4, 5], 'a=1')]],
    [
      'forgets what was removed',
      [add([0, 1], 'a=1'), remove([2, 3], 'a'), list([4, 5]), remove([6, 7], 'a', 404)],
    ],
    [
      'may have removed what nobody knows of',
      [add([0, 1], 'a=1'), remove([2, 3], 'a', 503), list([4, 5]), remove([6, 7], 'a', 404)],
    ],
    [
      'shows the newest state',
      [add([0, 1], 'a=1'), change([2, 3], 'a', '2', 2), list([4, 5], 'a=2'), read([4, 5], 'a', '2', 2)],
    ],
    [
      'shows either state while it changes',
      [add([0, 1], 'a=1'), change([2, 9], 'a', '2', 2), list([4, 5], 'a=1'), list([4, 5], 'a=2')],
    ],
    [
      'refuses a change that comes too late',
      [
        add([0, 1], 'a=1'),
        change([2, 3], 'a', '2', 2, 1),
        { kind: 'change', ...request([4, 5], 412), entry: 'a', mark: '3', ifMatch: 1 },
        list([6, 7], 'a=2'),
      ],
    ],
    [
      'answers a repeated request alike',
      [
        { ...tryToAdd([0, 1], '1'), key: 'k' },
        { ...add([2, 3], 'a=1'), key: 'k' },
        { ...add([4, 5], 'a=1'), key: 'k' },
        list([6, 7], 'a=1'),
      ],
    ],
    [
      'gives a repeated answer again after the entry is gone',
      [
        { ...add([0, 1], 'a=1'), key: 'k' },
        remove([2, 3], 'a'),
        { ...add([4, 5], 'a=1'), key: 'k' },
        list([6, 7]),
      ],
    ],
    [
      'writes batches whole',
      [add([0, 1], 'a=1', 'b=2'), list([2, 3], 'a=1', 'b=2'), remove([4, 5], 'a'), list([6, 7], 'b=2')],
    ],
    [
      'leaves open whether an unanswered batch was written',
      [tryToAdd([0, 1], '1', '2'), list([2, 3], 'a=1', 'b=2')],
    ],
  ])('%s', (_, records) => {
    expect(checkDiary(records)).toEqual([]);
  });

  test('keeps the days of users apart', () => {
    const other = { ...list([2, 3]), diary: 'bob 2030-01-01' } as DiaryRecord;
    expect(checkDiary([add([0, 1], 'a=1'), other, list([2, 3], 'a=1')])).toEqual([]);
  });
});

describe('lost', () => {
  test.each<[string, DiaryRecord[]]>([
    ['an acknowledged entry is not listed', [add([0, 1], 'a=1'), list([2, 3])]],
    ['nor summed', [add([0, 1], 'a=1'), totals([2, 3], 0)]],
    ['nor found', [add([0, 1], 'a=1'), { kind: 'read', ...request([2, 3], 404), entry: 'a' }]],
    [
      'nor there to be changed',
      [add([0, 1], 'a=1'), { kind: 'change', ...request([2, 3], 404), entry: 'a', mark: '2' }],
    ],
    ['nor to be removed', [add([0, 1], 'a=1'), remove([2, 3], 'a', 404)]],
    ['one of a batch is gone', [add([0, 1], 'a=1', 'b=2'), list([2, 3], 'a=1')]],
    [
      'what was seen is gone, though nobody acknowledged it',
      [tryToAdd([0, 1], '1'), list([2, 3], 'a=1'), list([4, 5])],
    ],
    [
      'two changes made the same version',
      [add([0, 1], 'a=1'), change([2, 3], 'a', '2', 2, 1), change([2, 3], 'a', '3', 2, 1)],
    ],
    [
      'a change was made of another version than it says',
      [add([0, 1], 'a=1'), change([2, 3], 'a', '2', 2), change([4, 5], 'a', '3', 3, 1)],
    ],
    [
      'a later change has an earlier version',
      [add([0, 1], 'a=1'), change([2, 3], 'a', '2', 3), change([4, 5], 'a', '3', 2)],
    ],
  ])('%s', (_, records) => {
    expect(rulesBroken(...records)).toContain('lost');
  });
});

describe('doubled', () => {
  test.each<[string, DiaryRecord[]]>([
    ['one write is listed as two entries', [add([0, 1], 'a=1'), list([2, 3], 'a=1', 'b=1')]],
    ['an entry is listed twice', [add([0, 1], 'a=1'), list([2, 3], 'a=1', 'a=1')]],
    ['more is summed than was written', [add([0, 1], 'a=1'), totals([2, 3], 2)]],
    ['what was removed is summed', [add([0, 1], 'a=1'), remove([2, 3], 'a'), totals([4, 5], 1)]],
    [
      'an unanswered write was written twice',
      [tryToAdd([0, 1], '1'), list([2, 3], 'a=1'), list([4, 5], 'a=1', 'b=1')],
    ],
    [
      'a repeated request wrote again',
      [
        { ...add([0, 1], 'a=1'), key: 'k' },
        { ...add([2, 3], 'b=1'), key: 'k' },
      ],
    ],
    ['an entry was removed twice', [add([0, 1], 'a=1'), remove([2, 3], 'a'), remove([2, 3], 'a')]],
    ['a change was made twice', [add([0, 1], 'a=1'), change([2, 3], 'a', '2', 3)]],
    [
      'a change is seen with two versions',
      [add([0, 1], 'a=1'), change([2, 3], 'a', '2', 2), read([4, 5], 'a', '2', 3)],
    ],
  ])('%s', (_, records) => {
    expect(rulesBroken(...records)).toContain('doubled');
  });
});

describe('resurrected', () => {
  test.each<[string, DiaryRecord[]]>([
    ['what was removed is listed', [add([0, 1], 'a=1'), remove([2, 3], 'a'), list([4, 5], 'a=1')]],
    ['or found', [add([0, 1], 'a=1'), remove([2, 3], 'a'), read([4, 5], 'a', '1', 1)]],
    ['or changed', [add([0, 1], 'a=1'), remove([2, 3], 'a'), change([4, 5], 'a', '2', 2)]],
  ])('%s', (_, records) => {
    expect(rulesBroken(...records)).toContain('resurrected');
  });
});

test.each<[string, string, DiaryRecord[]]>([
  [
    'stale',
    'an older state is listed',
    [add([0, 1], 'a=1'), change([2, 3], 'a', '2', 2), list([4, 5], 'a=1')],
  ],
  [
    'stale',
    'a state between is read',
    [add([0, 1], 'a=1'), change([2, 3], 'a', '2', 2), change([4, 5], 'a', '3', 3), read([6, 7], 'a', '2', 2)],
  ],
  ['phantom', 'an entry is there that nobody wrote', [list([2, 3], 'a=1')]],
  ['phantom', 'an entry is seen before it was written', [list([0, 1], 'a=1'), add([2, 3], 'a=1')]],
  [
    'phantom',
    'a refused write took effect',
    [{ ...tryToAdd([0, 1], '1'), status: 400 }, list([2, 3], 'a=1')],
  ],
  [
    'phantom',
    'a change is on another entry',
    [add([0, 1], 'a=1', 'b=2'), change([2, 3], 'a', '3', 2), list([4, 5], 'a=3', 'b=3')],
  ],
  ['phantom', 'an answer is about something else', [{ ...add([0, 1], 'a=1'), marks: ['2'] }]],
  ['torn', 'a part of a batch is listed', [add([0, 9], 'a=1', 'b=2'), list([2, 3], 'a=1')]],
  ['torn', 'a part of an unanswered batch stays', [tryToAdd([0, 1], '1', '2'), list([2, 3], 'a=1')]],
  [
    'wrong status',
    'a change is refused though there was no other',
    [add([0, 1], 'a=1'), { kind: 'change', ...request([2, 3], 412), entry: 'a', mark: '2', ifMatch: 1 }],
  ],
])('%s: %s', (rule, _, records) => {
  expect(rulesBroken(...records)).toContain(rule);
});
