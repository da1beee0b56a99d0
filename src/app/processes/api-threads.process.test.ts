import { MessageChannel } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { MemoryLog } from '../../../test/support/memory-log.ts';
import { readConfig } from '../../config/config.ts';
import { createSharedMemory } from '../shared-memory.ts';
import { ApiThreads } from './api-threads.ts';

const CLUMSY = new URL('../../../test/support/clumsy-thread.ts', import.meta.url);
const CRASHING = new URL('../../../test/support/crashing-thread.ts', import.meta.url);

it('a thread that crashes is replaced and the crash is logged; one that crashes repeatedly is given up', async () => {
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
    calls: { collectMetrics: async () => '', serviceFacts: async () => ({ refused: {}, warnings: [] }) },
    nowMs: () => 0,
    pause: async () => {},
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

/**
 * Threads of which the second one fails to load its first `failures` catalogues; each reports the size of its
 * catalogue.
 */
async function openClumsy(failures: number) {
  const limitsOutage = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  new Int32Array(limitsOutage)[0] = failures;
  const log = new MemoryLog();
  const threads = new ApiThreads({
    entry: CLUMSY,
    config: readConfig({ LARDER_THREADS: '2' }),
    logFormat: 'json',
    memory: { ...createSharedMemory(), limitsOutage },
    connectWork: () => new MessageChannel().port2,
    log: log.logger,
    calls: { collectMetrics: async () => '', serviceFacts: async () => ({ refused: {}, warnings: [] }) },
    nowMs: () => 0,
    pause: () => new Promise(setImmediate),
    onGivenUp: (cause) => {
      throw cause;
    },
  });
  await threads.start();
  const held = async () => (await threads.metrics()).map(([metric]) => Number(metric!.help));
  return { threads, log, held };
}

it.each([1, 2])('a thread that fails %i times to load a catalogue loads it in the end', async (failures) => {
  const { threads, log, held } = await openClumsy(failures);
  await threads.useCatalogue(new SharedArrayBuffer(8));
  expect(await held()).toEqual([8, 8]);
  expect(threads.restarts).toBe(0);
  expect(log.messages('warn')).toEqual(Array(failures).fill('an API thread could not load a catalogue'));
  await threads.stop(0);
});

it('a thread that cannot load a catalogue is replaced by one that can', async () => {
  const { threads, held } = await openClumsy(3);
  await threads.useCatalogue(new SharedArrayBuffer(16));
  expect(await held()).toEqual([16, 16]);
  expect(threads.restarts).toBe(1);
  await threads.stop(0);
});

it('a thread that crashes while it loads a catalogue is replaced, and its successor has it', async () => {
  const { threads, held } = await openClumsy(-1);
  await threads.useCatalogue(new SharedArrayBuffer(24));
  expect(await held()).toEqual([24, 24]);
  expect(threads.restarts).toBe(1);
  await threads.stop(0);
});
