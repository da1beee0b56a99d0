import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ANY_NUMBER, newScan } from '../../../test/support/new-scan.ts';
import { DONE, failed, type Look, openWorkers } from '../../../test/support/open-workers.ts';
import { BANANA_RESULT } from '../../../test/support/settle-scan.ts';
import type { AnalysisOutcome } from '../analysis/analysis.ts';
import { analysisKey, imageKey } from '../scan-job.ts';
import { FIRST_PAUSE_MS, LEASE_MS } from './scan-attempt.ts';

let opened: Awaited<ReturnType<typeof openWorkers>>;
let scans: (typeof opened)['scans'];
let worker: (typeof opened)['worker'];
let events: string[];
beforeEach(async () => {
  opened = await openWorkers();
  ({ scans, worker, events } = opened);
});
afterEach(() => opened[Symbol.asyncDispose]());

test('a stored image is analysed, its analysis stored, its job settled and a signal sent', async () => {
  const id = await scans.queue('banana', { clientId: 'phone-7' });
  scans.clock.nowMs = 5_000;
  await worker(async (content) => (content === 'banana' ? DONE : failed('no_food_detected'))).drain();

  expect(await scans.find(id)).toMatchObject({
    status: 'completed',
    settledAtMs: 5_000,
    result: BANANA_RESULT,
  });
  expect(scans.heard.at(-1)).toEqual({ kind: 'changed', id });
  expect(events).toEqual(['completed at 1']);
  const { items, ...plate } = BANANA_RESULT;
  const kept = await scans.objects.read(analysisKey(id));
  expect(kept?.contentType).toBe('application/json');
  expect(JSON.parse(await text(kept!.body))).toEqual({
    ...DONE.analysis,
    jobId: id,
    clientId: 'phone-7',
    status: 'completed',
    createdAt: '1970-01-01T00:00:01.000Z',
    finishedAt: '1970-01-01T00:00:05.000Z',
    result: { ...plate, nutrients: items[0]!.macros },
    items: items.map((item) => ({ ...item, nutrients: item.macros })),
  });
});

test('the analysis uses the foods that the scan’s user sees', async () => {
  await scans.queue('x', { tenant: 'zed', userId: 'ann' });
  const asked = Promise.withResolvers<unknown>();
  await worker(async (_, { foods }) => {
    try {
      await foods.search('x', 1);
    } catch (error) {
      asked.resolve((error as Error).message);
    }
    return DONE;
  }).drain();
  expect(await asked.promise).toBe('zed ann');
});

test('a permanent failure settles at once and stores no analysis', async () => {
  const id = await scans.queue('cat');
  await worker(async () => failed('no_food_detected')).drain();
  expect(await scans.find(id)).toMatchObject({
    status: 'failed',
    failure: { code: 'no_food_detected' },
  });
  expect(await scans.objects.find(analysisKey(id))).toBeUndefined();
});

test('a temporary failure is retried up to three attempts, after growing pauses', async () => {
  const id = await scans.queue('x');
  const work = worker(async () => failed('recognizer_unavailable'));
  await work.drain();
  scans.clock.nowMs += FIRST_PAUSE_MS - 1;
  await work.drain();
  expect(events).toEqual(['recognizer_unavailable postponed at 1']);
  scans.clock.nowMs += 1;
  await work.drain();
  scans.clock.nowMs += FIRST_PAUSE_MS;
  await work.drain();
  expect(events).toHaveLength(2);
  scans.clock.nowMs += 3 * FIRST_PAUSE_MS;
  await work.drain();
  expect(events.slice(1)).toEqual(['recognizer_unavailable postponed at 2', 'recognizer_unavailable at 3']);
  expect(await opened.statusOf(id)).toBe('failed');
});

test('a crash of the analyser is an internal error, and is retried', async () => {
  const id = await scans.queue('x');
  let calls = 0;
  const work = worker(async () => {
    if (++calls === 1) throw new Error('broken');
    return DONE;
  });
  await work.drain();
  expect(events).toEqual(['broken: looking at an image', 'internal_error postponed at 1']);
  scans.clock.nowMs += FIRST_PAUSE_MS;
  await work.drain();
  expect(await opened.statusOf(id)).toBe('completed');
});

test('a job whose image is missing fails', async () => {
  const id = await scans.queue('x');
  await scans.objects.delete(imageKey(id));
  await worker(async () => DONE).drain();
  expect(await scans.find(id)).toMatchObject({
    failure: { code: 'image_unreadable', retryable: true },
  });
});

test('a worker runs as many jobs as allowed, until the queue is empty', async () => {
  for (let index = 0; index < 8; index++) await scans.queue(`${index}`);
  const held: (() => void)[] = [];
  let most = 0;
  const look: Look = async () => {
    const together = new Promise<void>((resolve) => held.push(resolve));
    most = Math.max(most, held.length);
    if (held.length >= 2) {
      // A third job would have been claimed by this time.
      await worked.look();
      for (const letGo of held.splice(0)) letGo();
    }
    await together;
    return DONE;
  };
  const worked = worker(look);
  await worked.drain();
  expect(events).toHaveLength(8);
  expect(most).toBe(2);
});

test('a signal wakes an idle worker', async () => {
  const done = Promise.withResolvers<void>();
  const work = worker(async () => DONE, {
    observer: { looked() {}, settled: () => done.resolve(), postponed() {}, lost() {}, broken() {} },
  });
  work.start();
  await work.look();
  await scans.queue('x');
  await done.promise;
  await work.stop();
});

test.each([
  ['twice a second', undefined, 21],
  ['seldom where it may', 5_000, 3],
])('an idle worker polls %s', async (_how, restPollMs, looks) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  try {
    let claims = 0;
    const claim = async () => {
      claims++;
      return undefined;
    };
    const work = worker(async () => DONE, { restPollMs, store: { ...opened.storeMethods(), claim } });
    work.start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(claims).toBe(looks);
    await work.stop();
  } finally {
    vi.useRealTimers();
  }
});

test('an idle worker polls often again after a job', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  try {
    // Signals of another process do not arrive here.
    const signals = { announce() {}, listen: () => () => {} };
    const work = worker(async () => DONE, { restPollMs: 1_000_000_000, signals });
    await scans.queue('first');
    work.start();
    await vi.waitUntil(() => events.length === 1);
    await scans.queue('second');
    await vi.waitUntil(() => events.length === 2);
    await work.stop();
  } finally {
    vi.useRealTimers();
  }
});

test('an extended lease keeps the job; an expired one gives it to another worker, and the first cannot settle it', async () => {
  const id = await scans.queue('x');
  const hands = [Promise.withResolvers<AnalysisOutcome>(), Promise.withResolvers<AnalysisOutcome>()];
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const workers = [0, 1].map((index) =>
    worker(() => {
      begun[index]!.resolve();
      return hands[index]!.promise;
    }),
  );
  const first = workers[0]!.drain();
  await begun[0]!.promise;
  scans.clock.nowMs += LEASE_MS - 1;
  await workers[0]!.extendLeases();
  scans.clock.nowMs += LEASE_MS - 1;
  await workers[1]!.look();
  expect(await scans.store.depth()).toEqual({ waiting: 0, running: 1 });

  scans.clock.nowMs += 1;
  const second = workers[1]!.drain();
  await begun[1]!.promise;
  hands[0]!.resolve(DONE);
  await first;
  expect(events).toEqual(['lost']);
  expect(await scans.objects.find(analysisKey(id))).toBeUndefined();
  hands[1]!.resolve(failed('no_food_detected'));
  await second;
  expect(events).toEqual(['lost', 'no_food_detected at 2']);
});

test('the holder of an expired lease does not claim its own job again', async () => {
  await scans.queue('x');
  const hand = Promise.withResolvers<AnalysisOutcome>();
  const begun = Promise.withResolvers<void>();
  const work = worker(() => {
    begun.resolve();
    return hand.promise;
  });
  const done = work.drain();
  await begun.promise;
  for (let outages = 0; outages < 3; outages++) {
    scans.clock.nowMs += LEASE_MS + 1;
    await work.look();
  }
  hand.resolve(DONE);
  await done;
  expect(events).toEqual(['completed at 1']);
});

test('a scan removed during its analysis leaves no objects', async () => {
  const id = await scans.queue('x');
  let removeNow = false;
  const store = {
    ...opened.storeMethods(),
    // The last moment for a removal is between storing the analysis and settling.
    settle: async (...given: Parameters<typeof scans.store.settle>) => {
      expect(await scans.objects.find(analysisKey(id))).toBeDefined();
      removeNow = await scans.store.remove(given[0]);
      return scans.store.settle(...given);
    },
  };
  await worker(async () => DONE, { store }).drain();
  expect(removeNow).toBe(true);
  expect(events).toEqual(['lost']);
  expect(await scans.objects.find(analysisKey(id))).toBeUndefined();
});

test('a stopping worker returns its jobs without an attempt, and others can claim them at once', async () => {
  const id = await scans.queue('x');
  const begun = Promise.withResolvers<void>();
  const stopping = worker(() => {
    begun.resolve();
    return new Promise(() => {});
  });
  stopping.start();
  await begun.promise;
  await stopping.stop();
  expect(scans.heard.at(-1)).toEqual({ kind: 'queued' });
  expect(await opened.statusOf(id)).toBe('processing');
  await worker(async () => DONE).drain();
  expect(events).toEqual(['completed at 1']);
});

test('a job is not claimed before its image is stored', async () => {
  await scans.store.create(newScan(), ANY_NUMBER);
  await worker(async () => DONE).drain();
  expect(events).toEqual([]);
});
