import { randomInt } from 'node:crypto';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkHistory, type Verdict } from './checker/check-history.ts';
import { faultTable } from './fault-table.ts';
import { History } from './history.ts';
import { runFaults } from './run-faults.ts';

const RUN_TIMEOUT_MS = 9 * 60_000;
const MAX_SEED = 1_000_000;
/** Maximum violations that are shown; all of them follow from the history. */
const MAX_SHOWN = 20;

/** Minimum kinds of records in a history. */
const KINDS = 15;
const FAULTS = 16;

const PROMISES: Readonly<Record<string, string>> = {
  lost: 'no acknowledged write and no job is lost',
  doubled: 'nothing is applied twice',
  'settled twice': 'no job is settled twice',
  resurrected: 'nothing that was removed comes back',
  stale: 'nobody sees an older state than one that was acknowledged',
  phantom: 'nothing is there that nobody wrote',
  torn: 'of a batch all or nothing is seen',
  'went back': 'no job goes back to an earlier state',
  'wrong result': 'every image is found to be what it is',
  'wrong answer': 'every search and barcode is answered from a catalogue in use',
  repeated: 'a resumed stream repeats nothing',
  'wrong status': 'nothing fails but what the fault explains',
  'slow recovery': 'all is well again within 5 s after each fault',
};

const seed = Number(process.env['FAULTS_SEED'] ?? randomInt(MAX_SEED));
const only = process.env['FAULTS_ONLY'] ?? '';

describe(`a cluster under faults, FAULTS_SEED=${seed}`, () => {
  const history = new History();
  let verdict: Verdict;
  beforeAll(async () => {
    const wanted = process.env['FAULTS_HISTORY'];
    const file = wanted ?? join(tmpdir(), `larder-faults-${seed}.jsonl`);
    try {
      const onProgress = (text: string) => say(`${(history.nowMs() / 1_000).toFixed(1)} s: ${text}`);
      await runFaults({ seed, only, history, onProgress });
      verdict = checkHistory(history.records);
    } finally {
      if (verdict === undefined || verdict.violations.length > 0 || wanted !== undefined) {
        history.write(file);
        say(`The history is in ${file}`);
      }
    }
    say(`\n${faultTable(verdict.reports)}`);
    const load = loadavg()[0]!.toFixed(1);
    say(
      `Nine of ten scans took up to ${Math.round(verdict.usualScanMs)} ms while nothing was broken; load average ${load}.\n`,
    );
  }, RUN_TIMEOUT_MS);

  test.each(Object.entries(PROMISES).map(([rule, promise]) => [promise, rule]))('%s', (_, rule) => {
    expect(verdict.violations.filter((violation) => violation.rule === rule).slice(0, MAX_SHOWN)).toEqual([]);
  });

  test('no other rule is broken', () => {
    expect(verdict.violations.filter(({ rule }) => !(rule in PROMISES))).toEqual([]);
  });

  test.skipIf(only !== '')('every guarantee was tested by every fault', () => {
    expect(new Set(history.records.map(({ kind }) => kind)).size).toBe(KINDS);
    expect(verdict.reports).toHaveLength(FAULTS);
    for (const { kinds } of verdict.reports) {
      expect([...kinds]).toEqual(expect.arrayContaining(['search', 'barcode', 'add', 'begin']));
    }
  });
});

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
