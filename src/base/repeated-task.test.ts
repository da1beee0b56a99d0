import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RepeatedTask } from './repeated-task.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const onError = (error: unknown) => expect.unreachable(String(error));

/** A task whose runs end when the test says so. */
function open(everyMs: number | (() => number) = 100) {
  let runs = 0;
  let end = () => {};
  const repeated = new RepeatedTask(
    () => {
      runs++;
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    },
    { everyMs, onError },
  );
  const untilRuns = (count: number) => vi.waitFor(() => expect(runs).toBe(count));
  return { repeated, runs: () => runs, end: () => end(), untilRuns };
}

const turn = () => new Promise(setImmediate);

test('each run follows a pause after the previous one, however long that took', async () => {
  const { repeated, runs, end, untilRuns } = open();
  repeated.start();
  await vi.advanceTimersByTimeAsync(99);
  expect(runs()).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs()).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs()).toBe(1);
  end();
  await turn();
  await vi.advanceTimersByTimeAsync(100);
  await untilRuns(2);
  end();
  await repeated.stop();
});

test('a requested run ends the pause; if requested during a run, it follows once', async () => {
  const { repeated, runs, end, untilRuns } = open();
  repeated.start();
  const asked = [repeated.runNow(), repeated.runNow()];
  await untilRuns(1);
  asked.push(repeated.runNow(), repeated.runNow());
  end();
  await untilRuns(2);
  end();
  await Promise.all(asked);
  expect(runs()).toBe(2);
  await repeated.stop();
});

test('it does not run before it is started, or after it is stopped', async () => {
  const { repeated, runs, end, untilRuns } = open();
  void repeated.runNow();
  await untilRuns(1);
  end();
  await turn();
  expect(vi.getTimerCount()).toBe(0);
  repeated.start();
  expect(vi.getTimerCount()).toBe(1);
  void repeated.runNow();
  await untilRuns(2);
  let isStopped = false;
  const stopped = repeated.stop().then(() => {
    isStopped = true;
  });
  await turn();
  expect(isStopped).toBe(false);
  end();
  await stopped;
  await repeated.runNow();
  expect([runs(), vi.getTimerCount()]).toEqual([2, 0]);
});

test('the pause can change', async () => {
  let everyMs = 1_000;
  const { repeated, end, untilRuns } = open(() => everyMs);
  repeated.start();
  everyMs = 10;
  repeated.reschedule();
  await vi.advanceTimersByTimeAsync(10);
  await untilRuns(1);
  end();
  await repeated.stop();
});

test('a failing run is reported with the number of consecutive failures, and others follow', async () => {
  const results = ['fails', 'fails', 'works', 'fails'];
  const reported: [string, number][] = [];
  const repeated = new RepeatedTask(
    async () => {
      const result = results.shift();
      if (result === 'fails') throw new Error(result);
    },
    { everyMs: 1, onError: (error, failures) => reported.push([(error as Error).message, failures]) },
  );
  repeated.start();
  for (let at = 0; at < 4; at++) await vi.advanceTimersByTimeAsync(1);
  expect(reported).toEqual([
    ['fails', 1],
    ['fails', 2],
    ['fails', 1],
  ]);
  await repeated.stop();
});
