import { expect, test } from 'vitest';
import { PersistentTake } from './persistent-take.ts';

/** `refusals` says how often each catalogue is refused. */
function open(refusals: Record<string, number>, onPause = () => {}) {
  const tried: string[] = [];
  const pauses: number[] = [];
  const persistent = new PersistentTake({
    async take(name) {
      tried.push(name);
      if (name === 'broken') throw new Error('it cannot even be refused');
      return (refusals[name] ?? 0) > tried.filter((one) => one === name).length - 1 ? 'refused' : undefined;
    },
    async pause(ms) {
      pauses.push(ms);
      onPause();
    },
    random: () => 0,
  });
  return { persistent, tried, pauses };
}

test('a catalogue that is refused is tried again, later each time, until it is taken', async () => {
  const { persistent, tried, pauses } = open({ a: 3 });
  await persistent.take('a');
  expect(tried).toEqual(['a', 'a', 'a', 'a']);
  expect(pauses).toEqual([500, 1_000, 2_000]);
});

test('it is given up where another one is wanted, and at the end', async () => {
  let left = 3;
  const { persistent, tried } = open({ a: 99, b: 99 }, () => {
    left--;
    if (left === 2) void persistent.take('b');
    if (left === 0) persistent.close();
  });
  await persistent.take('a');
  await expect.poll(() => tried).toEqual(['a', 'b', 'b']);
});

test('whatever goes wrong, it is tried again', async () => {
  const { persistent, tried } = open({}, () => tried.length === 3 && persistent.close());
  await persistent.take('broken');
  expect(tried).toHaveLength(3);
});
