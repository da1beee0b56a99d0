import { expect, test } from 'vitest';
import { BackgroundWork } from './background-work.ts';

/** A clock that advances with each step. */
function clock() {
  let now = 0;
  const spend = (ms: number) => {
    now += ms;
  };
  return { nowMs: () => now, spend };
}

test('short work is done at once; long work lets the event loop run between slices', async () => {
  const { nowMs, spend } = clock();
  const work = new BackgroundWork({ nowMs });
  let steps = 0;
  function* take(count: number) {
    for (let at = 0; at < count; at++) {
      steps++;
      spend(1);
      yield;
    }
  }
  const short = work.run(take(2));
  expect(steps).toBe(2);
  await short;

  steps = 0;
  const seen: number[] = [];
  const done = work.run(take(30));
  let isDone = false;
  void Promise.resolve(done).then(() => {
    isDone = true;
  });
  while (!isDone) {
    seen.push(steps);
    await new Promise(setImmediate);
  }
  const slices = seen.slice(1).map((count, at) => count - seen[at]!);
  expect(Math.max(seen[0]!, ...slices)).toBeLessThanOrEqual(5);
  expect(steps).toBe(30);
});

test('jobs take turns, and a failing one does not stop the others', async () => {
  const { nowMs, spend } = clock();
  const work = new BackgroundWork({ nowMs });
  const order: string[] = [];
  function* job(name: string, count: number) {
    for (let at = 0; at < count; at++) {
      order.push(name);
      spend(1);
      yield;
    }
  }
  function* failing(): Generator<void, void> {
    yield;
    throw new Error('broken');
  }
  const long = work.runLater(job('long', 40));
  const short = work.runLater(job('short', 3));
  await expect(work.runLater(failing())).rejects.toThrow('broken');
  await short;
  expect(order.filter((name) => name === 'long').length).toBeLessThan(10);
  await long;
  expect(order).toHaveLength(43);
});
