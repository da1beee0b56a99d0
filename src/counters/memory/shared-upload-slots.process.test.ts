import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { parseObjectKey } from '../../blobs/object-store.ts';
import type { UploadSlot } from '../../blobs/signed-url-access.ts';
import { SharedUploadSlots } from './shared-upload-slots.ts';

const claim = (key: number | string, client: number | string = key, bytes = 10) => ({
  key: parseObjectKey(`images/${key}`),
  client: `client ${client}`,
  bytes,
});

function openThreads(limit: number, count: number) {
  const memory = SharedUploadSlots.createMemory();
  return Array.from({ length: count }, (_, thread) => new SharedUploadSlots({ memory, limit, thread }));
}

test("threads see each other's uploads as in a simple list", () => {
  const step = fc.record({
    thread: fc.nat({ max: 2 }),
    key: fc.nat({ max: 5 }),
    client: fc.nat({ max: 2 }),
    bytes: fc.integer({ min: 1, max: 10_485_760 }),
    ends: fc.option(fc.nat({ max: 7 }), { nil: undefined }),
    restarts: fc.boolean(),
  });
  const steps = fc.array(step, { maxLength: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), steps, (limit, all) => {
      const memory = SharedUploadSlots.createMemory();
      const open = (thread: number) => new SharedUploadSlots({ memory, limit, thread });
      const threads = [open(0), open(1), open(2)];
      let held: { thread: number; key: number; client: number; bytes: number; slot: UploadSlot }[] = [];
      for (const { thread, key, client, bytes, ends, restarts } of all) {
        if (restarts && ends === undefined) {
          threads[thread] = open(thread);
          held = held.filter((other) => other.thread !== thread);
        }
        if (ends !== undefined) {
          for (const { slot } of held.splice(ends, 1)) slot.release();
        }
        const taken = threads[thread]!.take(claim(key, client, bytes));
        const ofClient = held.filter((other) => other.client === client).length;
        if (held.some((other) => other.key === key)) expect(taken).toBe('same_key');
        else if (ofClient >= limit - held.length) expect(taken).toBe('too_many');
        else {
          const slot = taken as UploadSlot;
          held.push({ thread, key, client, bytes, slot });
          expect(slot.pledgedBytes).toBe(held.reduce((sum, other) => sum + other.bytes, 0));
        }
      }
    }),
    { numRuns: runs(200) },
  );
});

test('one client never takes all slots: others can take the rest', () => {
  const [slots] = openThreads(64, 1) as [SharedUploadSlots];
  const taken = Array.from({ length: 100 }, (_, at) => slots.take(claim(at, 'greedy')));
  expect(taken.filter((slot) => slot === 'too_many')).toHaveLength(68);
  for (let other = 0; other < 32; other++) {
    expect(slots.take(claim(`other-${other}`, other))).not.toBe('too_many');
  }
  expect(slots.take(claim('last', 'one more'))).toBe('too_many');
});

test('a thread that ends while it holds the lock does not block others', () => {
  const memory = SharedUploadSlots.createMemory();
  new Int32Array(memory)[0] = 1;
  const slots = new SharedUploadSlots({ memory, limit: 1, thread: 0 });
  expect(slots.take(claim('a'))).not.toBe('same_key');
});

test('of four threads that repeatedly compete for one key, exactly one gets it each time', async () => {
  const rounds = 500;
  const memory = SharedUploadSlots.createMemory();
  const barrier = new Int32Array(new SharedArrayBuffer(4 * rounds * 2));
  const module = JSON.stringify(new URL('./shared-upload-slots.ts', import.meta.url).href);
  const script = `
    const { parentPort, workerData: { memory, barrier, thread } } = require('node:worker_threads');
    const meet = (at) => {
      if (Atomics.add(barrier, at, 1) === 3) Atomics.notify(barrier, at);
      for (let seen; (seen = Atomics.load(barrier, at)) < 4; ) Atomics.wait(barrier, at, seen);
    };
    import(${module}).then(({ SharedUploadSlots }) => {
      const slots = new SharedUploadSlots({ memory, limit: 64, thread });
      const won = [];
      for (let round = 0; round < ${rounds}; round++) {
        meet(2 * round);
        const slot = slots.take({ key: 'images/one', client: 'client ' + thread, bytes: 1 });
        won.push(typeof slot !== 'string');
        meet(2 * round + 1);
        if (typeof slot !== 'string') slot.release();
      }
      parentPort.postMessage(won);
    });`;
  const workers = [0, 1, 2, 3].map(
    (thread) => new Worker(script, { eval: true, workerData: { memory, barrier, thread } }),
  );
  const won = (await Promise.all(workers.map((worker) => once(worker, 'message')))).map(([list]) => list);
  for (let round = 0; round < rounds; round++) {
    expect(won.filter((list) => list[round])).toHaveLength(1);
  }
});
