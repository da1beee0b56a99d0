import { afterEach, expect, test, vi } from 'vitest';
import { readConfig } from '../config.ts';
import { AnalysisThread } from './analysis-thread-handle.ts';

const UNRULY = new URL('../../test/support/unruly-analysis-thread.ts', import.meta.url);

afterEach(() => vi.useRealTimers());

test('a thread has minutes to get ready, since it may have to fetch a model and embed the names of foods', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const thread = new AnalysisThread({ entry: UNRULY, start: { config: readConfig({}) } });
  const ready = thread.ready();
  vi.advanceTimersByTime(10 * 60_000);
  await expect(ready).resolves.toBeUndefined();
  await thread.end(new Error('the test is over'));
});
