import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newScan } from '../../../test/support/new-scan.ts';
import type { ScanId, ScanJob, ScanStatus } from '../scan-job.ts';
import type { ScanSignal } from '../signals/scan-signals.ts';
import { ScanFeed, type ScanState } from './scan-feed.ts';

const NEVER_POLLS_MS = 1_000_000;

let rows: Map<ScanId, ScanJob>;
let queries: number;
let looked: ScanId[];
let listeners: Set<(signal: ScanSignal) => void>;
let feed: ScanFeed;

beforeEach(() => {
  rows = new Map();
  queries = 0;
  looked = [];
  listeners = new Set();
  feed = new ScanFeed(
    {
      store: {
        find: async ({ id }) => rows.get(id),
        findAll: async (refs) => {
          queries++;
          return refs.flatMap(({ id }) => rows.get(id) ?? []);
        },
      },
      signals: {
        announce: (signal) => {
          for (const listener of listeners) listener(signal);
        },
        listen: (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      lookFor: ({ id }) => looked.push(id),
      onError: (error) => {
        throw error;
      },
    },
    NEVER_POLLS_MS,
  );
});
afterEach(() => feed.close());

function put(status: ScanStatus, job: ScanJob = { ...newScan(), status }): ScanJob {
  const changed = { ...job, status };
  rows.set(job.id, changed);
  return changed;
}

function announce(id: ScanId): void {
  for (const listener of listeners) listener({ kind: 'changed', id });
}

function watch(id: ScanId, seen = 0, signal = new AbortController().signal): AsyncGenerator<ScanState, void> {
  return feed.watch({ tenant: 'acme', id }, seen, signal);
}

async function next(states: AsyncGenerator<ScanState, void>): Promise<ScanStatus | undefined> {
  const { value } = await states.next();
  return value?.status;
}

test('a watcher gets the current state, each later one, and ends after the final one', async () => {
  const job = put('upload_pending');
  const states = watch(job.id);
  expect(await next(states)).toBe('upload_pending');
  const second = next(states);
  put('processing', job);
  announce(job.id);
  expect(await second).toBe('processing');
  const third = next(states);
  put('completed', job);
  announce(job.id);
  expect(await third).toBe('completed');
  expect(await next(states)).toBeUndefined();
});

test('the newest state is kept until the watcher asks, and skipped states are added', async () => {
  const job = put('upload_pending');
  const states = watch(job.id);
  expect(await next(states)).toBe('upload_pending');
  put('completed', job);
  announce(job.id);
  expect([await next(states), await next(states)]).toEqual(['processing', 'completed']);
});

test('a scan without an image is never reported as processing', async () => {
  const job = put('upload_pending');
  const states = watch(job.id);
  await next(states);
  rows.set(job.id, {
    ...job,
    status: 'failed',
    failure: { code: 'upload_expired', message: 'Too late.', retryable: true },
  });
  feed.poll();
  expect(await next(states)).toBe('failed');
});

test('a change between reading the row and registering is found by the next poll', async () => {
  const job = put('processing');
  const states = watch(job.id);
  const first = next(states);
  put('completed', job);
  announce(job.id);
  await first;
  feed.poll();
  const rest = [await next(states), await next(states)];
  expect([await first, ...rest].filter((status) => status !== undefined).at(-1)).toBe('completed');
});

test('states that the reader has seen are left out', async () => {
  const job = put('processing');
  const states = watch(job.id, 2);
  const later = next(states);
  put('failed', job);
  feed.poll();
  expect(await later).toBe('failed');
  expect(await next(watch(job.id, 3))).toBeUndefined();
});

test('watchers of any number of scans cost one query at a time', async () => {
  const jobs = Array.from({ length: 30 }, () => put('upload_pending'));
  const watching = jobs.flatMap(({ id }) => [watch(id), watch(id)]);
  await Promise.all(watching.map(next));
  const later = watching.map(next);
  for (const job of jobs) put('processing', job);
  feed.poll();
  feed.poll();
  expect(await Promise.all(later)).toEqual(watching.map(() => 'processing'));
  expect(queries).toBeLessThanOrEqual(2);
});

test('an image is looked for while a watcher waits for it', async () => {
  const job = put('upload_pending');
  const states = watch(job.id);
  await next(states);
  const later = next(states);
  feed.poll();
  put('processing', job);
  announce(job.id);
  await later;
  expect(looked).toContain(job.id);
});

test('a watch ends with the scan, with the watcher and with the feed', async () => {
  const job = put('processing');
  const removed = watch(job.id);
  await next(removed);
  const end = next(removed);
  rows.delete(job.id);
  announce(job.id);
  expect(await end).toBeUndefined();

  const other = put('processing');
  const abort = new AbortController();
  const aborted = watch(other.id, 0, abort.signal);
  const open = watch(other.id);
  await Promise.all([next(aborted), next(open)]);
  const ends = [next(aborted), next(open)];
  abort.abort();
  expect(await ends[0]).toBeUndefined();
  feed.close();
  expect(await ends[1]).toBeUndefined();
  expect(await next(watch(other.id, 0, abort.signal))).toBeUndefined();
});

test('no timer runs while nothing is watched', async () => {
  vi.useFakeTimers();
  try {
    expect(vi.getTimerCount()).toBe(0);
    const { id } = put('processing');
    const stop = new AbortController();
    const states = watch(id, 0, stop.signal);
    await states.next();
    expect(vi.getTimerCount()).toBe(1);
    stop.abort();
    await states.return();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
