import { OutageError } from '@larder/core/errors.ts';
import type { Food } from '@larder/core/food.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BANANA, COLA } from '../../../test/support/foods.ts';
import { PATIENCE } from '../../../test/support/patience.ts';
import { readConfig } from '../../config/config.ts';
import type { AnalysisOutcome } from '../../scan/analysis/analysis.ts';
import type { ScanFoods } from '../../scan/analysis/scan-foods.ts';
import { AnalysisPool, type AnalysisPoolOptions } from './analysis-pool.ts';

const UNRULY = new URL('../../../test/support/unruly-analysis.ts', import.meta.url);
const NO_FOODS: ScanFoods = {
  findByBarcode: async () => undefined,
  readNames: async () => [],
  findById: async () => undefined,
  search: async () => [],
};

let pool: AnalysisPool;
let errors: string[];

function open(more: Partial<AnalysisPoolOptions> = {}): void {
  errors = [];
  pool = new AnalysisPool({
    config: readConfig({}),
    processes: 1,
    onError: ({ message }, isReplaced) => errors.push(`${isReplaced ? 'replaced: ' : ''}${message}`),
    entry: UNRULY,
    ...more,
  });
}

const order = (text: string, foods = NO_FOODS, timeoutMs = 60_000) =>
  pool.analyse({ bytes: new Uint8Array(Buffer.from(text)), foods, timeoutMs });
const codeOf = (outcome: AnalysisOutcome) => 'failure' in outcome && outcome.failure.code;
const processOf = ({ analysis }: AnalysisOutcome) => analysis.timings.decodeMs;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('with one process', () => {
  beforeEach(() => open());
  afterEach(() => pool.close());

  test('images are analysed in sequence, in their order', async () => {
    const seen: string[] = [];
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(
      names.map(async (name) => {
        await order(name);
        seen.push(name);
      }),
    );
    expect(seen).toEqual(names);
  });

  test('foods belong to the right image', async () => {
    const namesOf = (foods: ScanFoods) =>
      order('name x', foods).then(({ analysis }) => analysis.items.map(({ name }) => name));
    const finding = (food: Food) => ({ ...NO_FOODS, search: async () => [{ ...food, aliases: ['x'] }] });
    const found = await Promise.all([namesOf(finding(BANANA)), namesOf(finding(COLA)), namesOf(NO_FOODS)]);
    expect(found).toEqual([[BANANA.name], [COLA.name], []]);
  });

  test('an image whose foods cannot be looked up meets an outage, so that it is analysed later', async () => {
    const away: ScanFoods = { ...NO_FOODS, search: () => Promise.reject(new OutageError('away')) };
    await expect(order('name x', away)).rejects.toThrow(OutageError);
    expect(errors).toEqual([]);
    expect(codeOf(await order('a'))).toBe('no_food_detected');
  });

  test('an analysis that throws is an internal error, and its process continues', async () => {
    const before = processOf(await order('a'));
    expect(codeOf(await order('throw'))).toBe('internal_error');
    expect(processOf(await order('a'))).toBe(before);
    expect(errors).toEqual(['thrown as ordered']);
  });

  test.each(['exit', 'throw outside', 'fill the heap'])(
    'a process that breaks (%s) fails its own image only, and is replaced',
    async (how) => {
      const before = processOf(await order('a'));
      const [broken, next] = await Promise.all([order(how), order('a')]);
      expect(codeOf(broken)).toBe('internal_error');
      expect(codeOf(next)).toBe('no_food_detected');
      expect(processOf(next)).not.toBe(before);
      expect(errors).toHaveLength(1);
      expect(errors[0]).toMatch(/^replaced: /);
    },
  );

  test.each(['spin', 'stay in native code'])(
    'an image that exceeds its time limit ends its process, and the next one gets its slot (%s)',
    async (how) => {
      const before = processOf(await order('a'));
      const [late, next] = await Promise.all([order(how, NO_FOODS, 1), order('a')]);
      expect(codeOf(late)).toBe('analysis_timeout');
      expect(processOf(next)).not.toBe(before);
      expect(isAlive(before)).toBe(false);
    },
  );

  test('a process that is killed from outside is replaced, and the reason says what to do', async () => {
    const before = processOf(await order('a'));
    const broken = order('spin');
    await vi.waitFor(() => expect(pool.pids).toEqual([before]), PATIENCE);
    process.kill(before, 'SIGKILL');
    expect(codeOf(await broken)).toBe('internal_error');
    expect(processOf(await order('a'))).not.toBe(before);
    expect(errors).toEqual([
      'replaced: the process was killed (SIGKILL), mostly because memory is short: allow more, or lower LARDER_SCAN_WORKERS',
    ]);
  });

  test('more images than the queue holds are rejected', async () => {
    const waiting = Array.from({ length: 65 }, () => order('a'));
    await expect(order('a')).rejects.toThrow('64 images wait');
    await Promise.all(waiting);
  });

  test('closing cancels running and waiting images', async () => {
    const under = [order('spin'), order('a')].map((each) => expect(each).rejects.toThrow('stopped'));
    await pool.close();
    await Promise.all(under);
    await expect(order('a')).rejects.toThrow('stopped');
  });
});

test('several processes analyse images in parallel', async () => {
  open({ processes: 2 });
  const spinning = expect(order('spin')).rejects.toThrow('stopped');
  const processes = new Set([processOf(await order('a')), processOf(await order('b'))]);
  expect(processes.size).toBe(1);
  await pool.close();
  await spinning;
});

test.runIf(process.platform === 'linux')(
  'a process that takes too much memory for an image is killed',
  async () => {
    open({ maxMemoryBytes: 300_000_000 });
    expect(codeOf(await order('fill the memory'))).toBe('internal_error');
    expect(errors).toEqual([expect.stringMatching(/^replaced: .* more than 300000000$/)]);
    expect(codeOf(await order('a'))).toBe('no_food_detected');
    await pool.close();
  },
);

test('an idle process ends, and the next image starts another', async () => {
  open({ idleMs: 1 });
  const first = processOf(await order('a'));
  await vi.waitFor(() => expect(isAlive(first)).toBe(false), PATIENCE);
  expect(processOf(await order('a'))).not.toBe(first);
  expect(errors).toEqual([]);
  await pool.close();
});

test('an image whose process cannot be started is rejected with the reason', async () => {
  const entry = new URL('../../../test/support/no-such-thread.ts', import.meta.url);
  open({ entry });
  for (const image of ['a', 'b']) {
    await expect(order(image)).rejects.toThrow('images cannot be analysed: ');
  }
  await pool.close();
});

test('images meet an outage while no process can be started, so that they wait', async () => {
  let reason: string | undefined = '`npm ci` runs';
  open({ whyNotNow: () => reason });
  const refused = await order('a').catch((error: unknown) => error);
  expect([refused instanceof OutageError, (refused as Error).message]).toEqual([true, '`npm ci` runs']);
  reason = undefined;
  const first = processOf(await order('a'));
  // One that runs goes on.
  reason = '`npm ci` runs';
  expect(processOf(await order('b'))).toBe(first);
  await pool.close();
});

test('a process has minutes to start, because it may download a model and embed the names of foods', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    open();
    const outcome = order('a');
    await vi.waitFor(() => expect(pool.pids).toHaveLength(1), PATIENCE);
    vi.advanceTimersByTime(10 * 60_000);
    vi.useRealTimers();
    expect(codeOf(await outcome)).toBe('no_food_detected');
  } finally {
    vi.useRealTimers();
    await pool.close();
  }
});
