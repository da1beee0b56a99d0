import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createCounterMemory, SharedCounters, SLOTS } from './counters.ts';

const NOW_MS = 1_800_000_000_000;

test('of 5,000 concurrent requests from four threads, exactly the allowed number passes', async () => {
  const memory = createCounterMemory({ randomBytes });
  const start = new Int32Array(new SharedArrayBuffer(4));
  const module = JSON.stringify(new URL('./counters.ts', import.meta.url).href);
  const script = `
    const { parentPort, workerData: { memory, start } } = require('node:worker_threads');
    import(${module}).then(({ SharedCounters }) => {
      const counters = new SharedCounters({ memory });
      parentPort.postMessage('ready');
      Atomics.wait(start, 0, 0);
      let passed = 0;
      for (let asked = 0; asked < 1250; asked++) passed += counters.takeNow('key:search', 777, ${NOW_MS}).allowed ? 1 : 0;
      parentPort.postMessage(passed);
    });`;
  const workers = Array.from(
    { length: 4 },
    () => new Worker(script, { eval: true, workerData: { memory, start } }),
  );
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const passed = workers.map((worker) => once(worker, 'message'));
  Atomics.store(start, 0, 1);
  Atomics.notify(start, 0);
  const sum = (await Promise.all(passed)).reduce((total, [count]) => total + count, 0);
  expect(sum).toBe(777);
});

test('a full bucket drops the count whose window ends first, and no other', () => {
  const counters = new SharedCounters({ memory: createCounterMemory({ randomBytes, buckets: 1 }) });
  const names = Array.from({ length: SLOTS }, (_, at) => `name ${at}`);
  names.forEach((name, at) => {
    counters.takeNow(name, 1, NOW_MS + at * 1000);
  });
  const later = NOW_MS + 30_000;
  counters.takeNow('one more', 1, later);
  for (const name of names.slice(1)) expect(counters.takeNow(name, 1, later).allowed).toBe(false);
  expect(counters.takeNow(names[0]!, 1, later).allowed).toBe(true);
});

test('expired counts free their slots, whatever was counted before', () => {
  const counters = new SharedCounters({ memory: createCounterMemory({ randomBytes, buckets: 2 }) });
  for (let minute = 0; minute < 100; minute++) {
    const nowMs = NOW_MS + minute * 60_000;
    expect(counters.takeNow('steady', 1, nowMs).allowed).toBe(true);
    for (let at = 0; at < 3; at++) counters.takeNow(`${minute}/${at}`, 1, nowMs);
    expect(counters.takeNow('steady', 1, nowMs).allowed).toBe(false);
  }
});

test('a clock that is set back ends windows that it would otherwise keep open for long', () => {
  const counters = new SharedCounters({ memory: createCounterMemory({ randomBytes, buckets: 1 }) });
  const names = Array.from({ length: SLOTS }, (_, at) => `name ${at}`);
  for (const name of names) counters.takeNow(name, 1, NOW_MS);
  const earlier = NOW_MS - 3_600_000;
  for (const name of names) {
    expect(counters.takeNow(name, 1, earlier)).toMatchObject({
      allowed: true,
      resetsAt: earlier / 1000 + 60,
    });
  }
  for (const name of names) expect(counters.takeNow(name, 1, earlier).allowed).toBe(false);
});

test('names spread over the table: with half of it in use, hardly any count is lost', () => {
  const buckets = 1_024;
  const counters = new SharedCounters({ memory: createCounterMemory({ randomBytes, buckets }) });
  const names = Array.from({ length: (buckets * SLOTS) / 2 }, (_, at) => `1xUf0O${at}:search`);
  for (const name of names) counters.takeNow(name, 1, NOW_MS);
  const forgotten = names.filter((name) => counters.takeNow(name, 1, NOW_MS).allowed);
  expect(forgotten.length).toBeLessThan(names.length * 0.1);
});

test('a lock whose holder was terminated does not stop the others', () => {
  const memory = createCounterMemory({ randomBytes, buckets: 1 });
  new Int32Array(memory)[2] = 1;
  const counters = new SharedCounters({ memory });
  expect(counters.takeNow('a', 1, NOW_MS).allowed).toBe(true);
  expect(counters.takeNow('a', 1, NOW_MS).allowed).toBe(false);
});
