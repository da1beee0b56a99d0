import { MessageChannel } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { MemoryLog } from '../../../test/support/memory-log.ts';
import { createSharedMemory } from '../../compose/service.ts';
import { readConfig } from '../../config.ts';
import { ApiThreads } from './api-threads.ts';

const CRASHING = new URL('../../../test/support/crashing-thread.ts', import.meta.url);

it('a thread that crashes is replaced and the crash is logged; one that never stops crashing is given up', async () => {
  const { promise: givenUp, resolve: onGivenUp } = Promise.withResolvers<Error>();
  const log = new MemoryLog();
  let isGivenUp = false;
  const threads = new ApiThreads({
    entry: CRASHING,
    config: readConfig({ LARDER_THREADS: '1' }),
    logFormat: 'json',
    memory: createSharedMemory(),
    connectWork: () => new MessageChannel().port2,
    log: log.logger,
    calls: { collectMetrics: async () => '' },
    nowMs: () => 0,
    onGivenUp,
  });
  await threads.start();
  givenUp.then(() => {
    isGivenUp = true;
  });
  while (!isGivenUp) expect(await threads.metrics()).toEqual([]);

  expect(threads.restarts).toBe(5);
  expect((await givenUp).message).toContain('code 3');
  expect(log.messages('error')).toEqual(Array(5).fill('an API thread crashed and is replaced'));
  await threads.stop(0);
});
