import { OutageError } from '@larder/core/errors.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DONE, openWorkers } from '../../../test/support/open-workers.ts';
import { analysisKey } from '../scan-job.ts';
import { OUTAGE_PAUSE_MS } from './scan-attempt.ts';
import type { ScanWorkerOptions } from './scan-worker.ts';

let opened: Awaited<ReturnType<typeof openWorkers>>;
let scans: (typeof opened)['scans'];
let worker: (typeof opened)['worker'];
let events: string[];
beforeEach(async () => {
  opened = await openWorkers();
  ({ scans, worker, events } = opened);
});
afterEach(() => opened[Symbol.asyncDispose]());

/** Fails the first `times` calls with an outage. */
function away<Args extends unknown[], T>(times: number, method: (...given: Args) => Promise<T>) {
  let calls = 0;
  return async (...given: Args): Promise<T> => {
    if (++calls <= times) throw new OutageError('away');
    return method(...given);
  };
}

describe('outages during an attempt', () => {
  test.each(['read', 'put'] as const)(
    'an outage of the object store during %s costs no attempt',
    async (method) => {
      const id = await scans.queue('x');
      const methods = opened.objectMethods();
      const objects = { ...methods, [method]: away(3, methods[method] as () => Promise<never>) };
      await worker(async () => DONE, { objects }).drain();
      expect(events).toEqual([expect.stringMatching('^broken'), 'completed at 1']);
      expect(await scans.objects.find(analysisKey(id))).toBeDefined();
    },
  );

  test.each(['extendLease', 'settle'] as const)(
    'an outage of the database during %s costs no attempt',
    async (method) => {
      await scans.queue('x');
      const methods = opened.storeMethods();
      const store = { ...methods, [method]: away(3, methods[method] as () => Promise<never>) };
      await worker(async () => DONE, { store }).drain();
      expect(events).toEqual(['broken: settling a scan', 'completed at 1']);
    },
  );

  test('an outage of the queue is reported once, and once more after it recurs', async () => {
    const { claim, ...methods } = opened.storeMethods();
    let isAway = true;
    const store: ScanWorkerOptions['store'] = {
      ...methods,
      claim: async (request) => {
        if (isAway) throw new OutageError('away');
        return claim(request);
      },
    };
    const work = worker(async () => DONE, { store });
    const told = 'broken: taking scans from the queue';
    for (let looks = 0; looks < 3; looks++) await work.look();
    expect(events).toEqual([told]);
    await scans.queue('x');
    isAway = false;
    await work.drain();
    expect(events).toEqual([told, 'completed at 1']);
    isAway = true;
    await work.look();
    expect(events).toEqual([told, 'completed at 1', told]);
  });

  test('a settlement whose response was lost in an outage counts once', async () => {
    const id = await scans.queue('x');
    const { settle, ...methods } = opened.storeMethods();
    let calls = 0;
    const store = {
      ...methods,
      settle: async (...given: Parameters<typeof settle>) => {
        const isSettled = await settle(...given);
        if (++calls === 1) throw new OutageError('away');
        return isSettled;
      },
    };
    await worker(async () => DONE, { store }).drain();
    expect(events).toEqual(['broken: settling a scan', 'completed at 1']);
    expect(scans.heard.filter((signal) => signal.kind === 'changed').at(-1)).toEqual({ kind: 'changed', id });
  });

  test('a lasting outage returns the job to the queue without an attempt', async () => {
    const id = await scans.queue('x');
    const { read, ...methods } = opened.objectMethods();
    let isAway = true;
    const objects: ScanWorkerOptions['objects'] = {
      ...methods,
      read: async (...given) => {
        if (isAway) throw new OutageError('away');
        return read(...given);
      },
    };
    const work = worker(async () => DONE, { objects });
    await work.drain();
    expect(await scans.store.depth()).toEqual({ waiting: 1, running: 0 });
    isAway = false;
    scans.clock.nowMs += OUTAGE_PAUSE_MS;
    await work.drain();
    expect(await opened.statusOf(id)).toBe('completed');
    expect(events.at(-1)).toBe('completed at 1');
  });

  test('a stopping worker does not wait for the end of an outage', async () => {
    await scans.queue('x');
    const { read: _, ...methods } = opened.objectMethods();
    const waiting = Promise.withResolvers<void>();
    const work = worker(async () => DONE, {
      objects: { ...methods, read: () => Promise.reject(new OutageError('away')) },
      pause: () => new Promise((resolve) => waiting.resolve(setImmediate(resolve) as never)),
    });
    work.start();
    await waiting.promise;
    await work.stop();
    expect(await scans.store.depth()).toEqual({ waiting: 1, running: 0 });
  });
});
