import { randomInt } from 'node:crypto';
import { loadavg } from 'node:os';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { abuseRow, abuseTable } from './abuse-table.ts';
import { ATTACKS } from './attacks.ts';
import { breachesOf, type Measured } from './measured.ts';
import { runAbuse } from './run-abuse.ts';

const RUN_TIMEOUT_MS = 30 * 60_000;
const FULL_RUN_TIMEOUT_MS = 5 * 60 * 60_000;
const MAX_SEED = 1_000_000;

const { seed: wantedSeed, only, isFull } = inject('abuse');
const seed = wantedSeed ?? randomInt(MAX_SEED);
const mode = inject('cluster') === undefined ? 'embedded' : 'cluster';
const attacks = ATTACKS.filter(({ name }) => name.includes(only));

describe(`a service under attack, ${mode}, ABUSE_SEED=${seed}`, () => {
  const all = new Map<string, Measured>();
  beforeAll(
    async () => {
      const startedAt = performance.now();
      const onProgress = (text: string) =>
        say(`${mode}, ${((performance.now() - startedAt) / 1_000).toFixed(0)} s: ${text}`);
      try {
        await runAbuse({
          ...{ mode, seed, isFull, attacks, onProgress },
          onMeasured: (measured) => {
            all.set(measured.attack.name, measured);
            say(abuseRow(measured));
          },
        });
      } finally {
        const load = loadavg()[0]!.toFixed(1);
        say(`\n${mode}, ABUSE_SEED=${seed}, load average ${load}\n\n${abuseTable([...all.values()])}`);
      }
    },
    isFull ? FULL_RUN_TIMEOUT_MS : RUN_TIMEOUT_MS,
  );

  test.each(attacks.map(({ name }) => name))('%s does not affect others', (name) => {
    expect(breachesOf(all.get(name)!)).toEqual([]);
  });
});

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
