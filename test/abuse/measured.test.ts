import { expect, test } from 'vitest';
import { abuseTable } from './abuse-table.ts';
import { breachesOf, isTooSlow, type Measured } from './measured.ts';
import type { Sample } from './victim/samples.ts';

const MIB = 1024 * 1024;

const samples = (ms: number, status = 200): Sample[] => [
  { probe: 'search', ms, status },
  { probe: 'diary read', ms, status },
];

/** An attack that cost nobody anything. */
const HARMLESS: Measured = {
  attack: { name: 'harmless' },
  report: { sent: '3 requests', breaches: [], counts: [['200', 3]], cpuSeconds: 1 },
  idle: samples(20),
  attempts: [samples(49)],
  control: [],
  before: { rssBytes: 500 * MIB, rssOfFilesBytes: 0, openFiles: 50, threads: 10 },
  peakRssBytes: 900 * MIB,
  after: { rssBytes: 510 * MIB, rssOfFilesBytes: 0, openFiles: 55, threads: 10 },
  verified: { checked: 10, problems: [] },
  defects: [],
  hasEnded: false,
  machine: { busy: 0.25, stolen: 0.01 },
};

test('an attack without effect is not a breach', () => {
  expect(breachesOf(HARMLESS)).toEqual([]);
  expect(abuseTable([HARMLESS]).split('\n')[2]).toBe(
    '| harmless | 3 requests | 3 × 200 | 20 ms, 49 ms | 20 ms, 49 ms | none | 500 MiB, 900 MiB, 510 MiB | 25 %, 1 % | held |',
  );
});

test.each<[string, Partial<Measured>, string[]]>([
  ['the service ended', { hasEnded: true }, ['the service ended']],
  [
    '500 for the attacker',
    { report: { ...HARMLESS.report, counts: [['500', 2]] } },
    ['2 times 500 for the attacker'],
  ],
  ['500 in the log alone', { defects: ['500 of /v1/foods'] }, ['500 of /v1/foods']],
  [
    'what the attack found by itself',
    { report: { ...HARMLESS.report, breaches: ['a forgery'] } },
    ['a forgery'],
  ],
  [
    'others are refused',
    { attempts: [samples(5, 503)] },
    ['others got 1 × 503 (search)', 'others got 1 × 503 (diary read)'],
  ],
  ['others get no answer', { attempts: [samples(5, 0).slice(1)] }, ['others got 1 × no answer (diary read)']],
  [
    'others wait',
    { attempts: [samples(61)] },
    ['search took 61 ms; allowed 60 ms', 'diary took 61 ms; allowed 60 ms'],
  ],
  [
    'something is lost',
    { verified: { checked: 1, problems: ['x was confirmed and is lost'] } },
    ['x was confirmed and is lost'],
  ],
  ['memory stays', { after: { ...HARMLESS.after, rssBytes: 900 * MIB } }, ['memory stays at 900 MiB']],
  ['connections stay', { after: { ...HARMLESS.after, openFiles: 301 } }, ['301 open files stay']],
])('%s: a breach', (_, seen, breaches) => {
  expect(breachesOf({ ...HARMLESS, ...seen })).toEqual(breaches);
});

test('three times the idle time is allowed, and at least fifty milliseconds', () => {
  const isSlow = (idleMs: number, attackedMs: number) =>
    isTooSlow({ idle: samples(idleMs), attempts: [samples(attackedMs)], control: [] });
  expect([isSlow(1, 50), isSlow(1, 51), isSlow(100, 300), isSlow(100, 301)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
});

test('slowness counts if it repeats and exceeds the cost of equal work by another tenant', () => {
  const slow = { attempts: [samples(200), samples(190)] };
  expect(breachesOf({ ...HARMLESS, ...slow, control: samples(30) })).toEqual([
    'search took 200 ms, 190 ms; allowed 90 ms',
    'diary took 200 ms, 190 ms; allowed 90 ms',
  ]);
  expect(breachesOf({ ...HARMLESS, ...slow, control: samples(70) })).toEqual([]);
  expect(breachesOf({ ...HARMLESS, attempts: [samples(200), samples(40)] })).toEqual([]);
});

test('missing data is a breach unless the attack removes it', () => {
  const attack = { name: 'full disk', allows: { search: [503] } };
  expect(breachesOf({ ...HARMLESS, attack, attempts: [samples(5, 503)] })).toEqual([
    'others got 1 × 503 (diary read)',
  ]);
});

test('a slow result on a busy machine is marked', () => {
  const slow = { ...HARMLESS, attempts: [samples(900)] };
  expect(breachesOf(slow)[0]).toBe('search took 900 ms; allowed 60 ms');
  expect(breachesOf({ ...slow, machine: { busy: 0.98, stolen: 0 } })[0]).toBe(
    'search took 900 ms; allowed 60 ms, on a machine that others used to 98 % before',
  );
});
