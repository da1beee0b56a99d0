import { afterEach, expect, test, vi } from 'vitest';
import { readConfig } from '../config/config.ts';
import { AnalysisProcess } from './analysis-process.ts';

const UNRULY = new URL('../../test/support/unruly-analysis.ts', import.meta.url);

afterEach(() => vi.useRealTimers());

test('a process has minutes to get ready, since it may have to fetch a model and embed the names of foods', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const analysis = new AnalysisProcess({ entry: UNRULY, config: readConfig({}), maxMemoryBytes: 1e9 });
  const ready = analysis.ready();
  vi.advanceTimersByTime(10 * 60_000);
  await expect(ready).resolves.toBeUndefined();
  await analysis.end(new Error('the test is over'));
});
