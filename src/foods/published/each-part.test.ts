import { expect, test } from 'vitest';
import { eachPart } from './catalogue-parts.ts';

test('every part is processed once, with limited concurrency', async () => {
  const done: number[] = [];
  let [running, most] = [0, 0];
  await eachPart({ count: 10, atOnce: 3 }, async (part) => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    done.push(part);
  });
  expect(done.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(most).toBe(3);
  await eachPart({ count: 0, atOnce: 3 }, () => Promise.reject(new Error('never')));
});

test('it fails with the first error after all running parts have ended', async () => {
  const begun: number[] = [];
  let running = 0;
  const work = eachPart({ count: 10, atOnce: 2 }, async (part) => {
    begun.push(part);
    running++;
    await new Promise(setImmediate);
    running--;
    if (part === 2) throw new Error('no more');
  });
  await expect(work).rejects.toThrow('no more');
  expect(running).toBe(0);
  expect(begun.length).toBeLessThanOrEqual(4);
});
