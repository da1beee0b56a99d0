import { describe, expect, test } from 'vitest';
import type {
  AuditRecord,
  BeginRecord,
  CatalogueRecord,
  FaultRecord,
  FoodRecord,
  HistoryRecord,
  PollRecord,
  ScanState,
  StreamRecord,
  UploadRecord,
} from '../history-record.ts';
import { checkHistory } from './check-history.ts';

type Times = readonly [startMs: number, endMs: number];

const span = ([startMs, endMs]: Times) => ({ startMs, endMs });
const request = (times: Times, status: number) => ({ client: 'phone', ...span(times), status });

const search = (times: Times, generation = 'A', found = 'cola'): FoodRecord => ({
  kind: 'search',
  ...request(times, 200),
  product: 'cola',
  found,
  generation,
});
const failing = <T extends HistoryRecord>(record: T, status: number, code?: string): T => ({
  ...record,
  status,
  ...(code !== undefined && { code }),
});
const catalogue = (times: Times, generation: string): CatalogueRecord => ({
  kind: 'catalogue',
  ...span(times),
  generation,
});
const FIRST = catalogue([0, 0], 'A');

const DONE: ScanState = { status: 'completed', outcome: 'cola' };
const begin = (times: Times, job = 'j', key?: string): BeginRecord => ({
  kind: 'begin',
  ...request(times, 201),
  job,
  ...(key !== undefined && { key }),
});
const upload = (times: Times): UploadRecord => ({
  kind: 'upload',
  ...request(times, 200),
  job: 'j',
  expected: 'cola',
});
const poll = (times: Times, state: ScanState): PollRecord => ({
  kind: 'poll',
  ...request(times, 200),
  job: 'j',
  state,
});
const audit = (state = DONE, settlements = 1, job = 'j'): AuditRecord => ({
  kind: 'audit',
  job,
  state,
  settlements,
});
const stream = (times: Times, after: number, ...orders: number[]): StreamRecord => ({
  kind: 'stream',
  ...request(times, 200),
  job: 'j',
  after,
  messages: orders.map((order) => ({
    atMs: times[1],
    order,
    state: order === 3 ? DONE : { status: 'processing' },
  })),
});
const SCANNED = [begin([0, 1]), upload([2, 3])];

const fault = (times: Times, ...allows: FaultRecord['allows']): FaultRecord => ({
  kind: 'fault',
  name: 'PostgreSQL away',
  ...span(times),
  allows,
});
const OUTAGE = fault([100, 200], { kinds: ['add', 'begin'], failure: '503 unavailable', graceMs: 5_000 });
const add = (times: Times): HistoryRecord => ({
  kind: 'add',
  ...request(times, 201),
  diary: 'ann',
  marks: [`${times}`],
  added: [{ id: `${times}`, mark: `${times}` }],
});
const refused = (times: Times): HistoryRecord => failing(add(times), 503, 'unavailable');

const UNANSWERED: BeginRecord = { kind: 'begin', ...request([150, 160], 503), code: 'unavailable' };

const rulesBroken = (...history: HistoryRecord[]) => checkHistory(history).violations.map(({ rule }) => rule);

test.each<[string, HistoryRecord[]]>([
  ['nothing happened', []],
  ['a food is found', [FIRST, search([0, 1])]],
  [
    'another catalogue comes into use, node by node',
    [
      FIRST,
      catalogue([10, 20], 'B'),
      ...[search([8, 12]), search([11, 12]), search([11, 12], 'B'), search([19, 25]), search([21, 22], 'B')],
    ],
  ],
  [
    'a scan is followed to its end',
    [...SCANNED, poll([4, 5], { status: 'processing' }), poll([6, 7], DONE), audit()],
  ],
  ['a stream is resumed', [...SCANNED, stream([4, 5], 0, 2), stream([6, 7], 2, 3), audit()]],
  [
    'a stream and a poll cross each other',
    [...SCANNED, poll([4, 5], DONE), stream([4, 6], 0, 2, 3), audit()],
  ],
  ['an image never came', [begin([0, 1]), audit({ status: 'upload_pending' }, 0)]],
  [
    'nobody knows whether a scan was begun',
    [OUTAGE, UNANSWERED, begin([201, 202]), audit(), audit({ status: 'upload_pending' }, 0, 'x')],
  ],
  ['a request fails as a fault allows', [OUTAGE, refused([150, 160]), refused([210, 220]), add([230, 240])]],
])('a valid history: %s', (_, history) => {
  expect(checkHistory(history).violations).toEqual([]);
});

test.each<[string, string, HistoryRecord[]]>([
  ['wrong answer', 'another food is found', [FIRST, search([0, 1], 'A', 'tea')]],
  [
    'wrong answer',
    'a catalogue is served before it was there',
    [FIRST, catalogue([10, 20], 'B'), search([0, 1], 'B')],
  ],
  [
    'wrong answer',
    'the old catalogue is served after the swap',
    [FIRST, catalogue([10, 20], 'B'), search([21, 22])],
  ],
  ['lost', 'an image was taken and its job never settled', [...SCANNED, audit({ status: 'processing' }, 0)]],
  ['lost', 'a job is gone from the table', SCANNED],
  ['lost', 'a job is not found', [...SCANNED, failing(poll([4, 5], DONE), 404), audit()]],
  ['settled twice', 'the table saw two settlements', [...SCANNED, audit(DONE, 2)]],
  [
    'settled twice',
    'two outcomes were seen',
    [...SCANNED, poll([4, 5], { status: 'failed', outcome: 'internal_error' }), audit()],
  ],
  [
    'went back',
    'a settled job is worked on',
    [...SCANNED, poll([4, 5], DONE), poll([6, 7], { status: 'processing' }), audit()],
  ],
  ['wrong result', 'something else is found', [...SCANNED, audit({ status: 'completed', outcome: 'tea' })]],
  [
    'wrong result',
    'a good image fails',
    [...SCANNED, audit({ status: 'failed', outcome: 'internal_error' })],
  ],
  [
    'doubled',
    'a repeated request began another job',
    [begin([0, 1], 'j', 'k'), begin([2, 3], 'l', 'k'), audit(), audit(DONE, 1, 'l')],
  ],
  ['phantom', 'nobody began this job', [audit()]],
  [
    'repeated',
    'a resumed stream begins anew',
    [...SCANNED, stream([4, 5], 0, 2), stream([6, 7], 2, 2, 3), audit()],
  ],
])('%s: %s', (rule, _, history) => {
  expect(rulesBroken(...history)).toContain(rule);
});

describe('a failure is a wrong status', () => {
  test.each<[string, HistoryRecord[]]>([
    ['without a fault', [refused([150, 160])]],
    ['before it', [OUTAGE, refused([80, 90]), add([300, 301])]],
    ['long after it', [OUTAGE, refused([5_300, 5_301]), add([5_400, 5_401])]],
    ['of another kind', [OUTAGE, failing(add([150, 160]), 500, 'internal_error'), add([300, 301])]],
    [
      'of another request: search never stops',
      [FIRST, OUTAGE, failing(search([150, 160]), 503, 'unavailable'), search([170, 180])],
    ],
    ['without an answer', [OUTAGE, failing(add([150, 160]), 0), add([300, 301])]],
  ])('%s', (_, history) => {
    expect(rulesBroken(...history)).toContain('wrong status');
  });

  test('for a request with an Idempotency-Key that was repeated elsewhere', () => {
    const kill = fault([100, 101], { kinds: ['add'], failure: 'no answer', graceMs: 0, unnamedOnly: true });
    const unanswered = failing(add([90, 110]), 0);
    const named = { ...unanswered, key: 'k' } as HistoryRecord;
    expect(rulesBroken(kill, unanswered, add([120, 130]))).toEqual([]);
    expect(rulesBroken(kill, named, add([120, 130]))).toEqual(['wrong status']);
  });

  test('unless a fault allows it', () => {
    expect(rulesBroken(OUTAGE, refused([150, 160]), add([210, 220]))).toEqual([]);
  });
});

describe('recovery', () => {
  const recoveryOf = (...history: HistoryRecord[]) =>
    checkHistory(history).reports.map(({ recoveryMs }) => recoveryMs);

  test('lasts from the end of a fault to the first success after the last failure', () => {
    expect(
      recoveryOf(OUTAGE, add([110, 111]), refused([250, 260]), add([240, 255]), add([270, 290])),
    ).toEqual([90]);
  });

  test('is zero if nothing failed after the end of the fault', () => {
    expect(recoveryOf(OUTAGE, refused([150, 160]), add([170, 180]))).toEqual([0]);
  });

  test('includes scans with an image', () => {
    expect(recoveryOf(fault([1, 100]), ...SCANNED, poll([400, 450], DONE), audit())).toEqual([350]);
    expect(recoveryOf(fault([1, 2]), ...SCANNED, poll([400, 450], DONE), audit())).toEqual([0]);
  });

  test('of streams lasts until one delivers an event', () => {
    const cut = {
      ...OUTAGE,
      allows: [{ kinds: ['stream'], failure: 'no answer', graceMs: 5_000 }],
    } as FaultRecord;
    const late = stream([260, 4_000], 0, 2);
    const told = { ...late, messages: [{ ...late.messages[0]!, atMs: 300 }] };
    expect(recoveryOf(cut, failing(stream([150, 250], 0), 0), told)).toEqual([100]);
  });

  test('does not count the usual time of scans', () => {
    const scan = (sentMs: number, lastsMs: number): HistoryRecord[] => [
      { ...upload([sentMs - 1, sentMs]), job: `${sentMs}` },
      { ...poll([sentMs, sentMs + lastsMs], DONE), job: `${sentMs}` },
    ];
    const history = [
      ...[...scan(1, 4_000), fault([5_000, 5_000])],
      ...[6_001, 6_002, 6_003, 6_004, 6_005, 6_006, 6_007, 6_008, 6_009].flatMap((ms) => scan(ms, 100)),
      ...[...scan(6_010, 3_000), fault([20_000, 20_100])],
      ...[...scan(20_050, 450), ...scan(20_090, 9_910)],
    ];
    expect(recoveryOf(...history)).toEqual([0, 9_800]);
    expect(recoveryOf(...history.slice(0, -2))).toEqual([0, 300]);
  });

  test('includes the switch to a catalogue activated meanwhile', () => {
    expect(recoveryOf(FIRST, fault([100, 200]), catalogue([120, 900], 'B'))).toEqual([700]);
    expect(recoveryOf(FIRST, fault([100, 200]), catalogue([300, 900], 'B'))).toEqual([0]);
  });

  test('is too slow after 5 s, and missing if nothing succeeds', () => {
    expect(rulesBroken(OUTAGE, refused([300, 310]), add([5_000, 5_200]))).toEqual(['slow recovery']);
    expect(rulesBroken(OUTAGE, refused([300, 310]))).toEqual(['slow recovery']);
    expect(rulesBroken(fault([1, 100]), ...SCANNED, poll([5_000, 5_100], DONE), audit())).toEqual([
      'slow recovery',
    ]);
  });

  test('of one fault does not count for another', () => {
    const second = { ...OUTAGE, startMs: 1_000, endMs: 1_100 };
    const reports = checkHistory([
      ...[OUTAGE, refused([150, 160]), add([250, 260])],
      ...[second, refused([1_050, 1_060]), refused([1_150, 1_160]), add([1_200, 1_210])],
    ]).reports;
    expect(
      reports.map(({ requests, failures, recoveryMs }) => [requests, [...failures], recoveryMs]),
    ).toEqual([
      [2, [['add 503 unavailable', 1]], 60],
      [3, [['add 503 unavailable', 2]], 110],
    ]);
  });
});
