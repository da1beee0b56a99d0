import { expect, test } from 'vitest';
import { NewestWins } from './newest-wins.ts';

/** `refusals` says how often each one cannot be used. */
function open({
  refusals = {},
  onPause = () => {},
}: {
  refusals?: Record<string, number>;
  onPause?: () => void;
}) {
  const log: string[] = [];
  const pauses: number[] = [];
  const loading = new Map<string, PromiseWithResolvers<void>>();
  const newest = new NewestWins<string>(
    {
      async load(name) {
        log.push(`load ${name}`);
        await loading.get(name)?.promise;
        return name.toUpperCase();
      },
      async use(loaded, name) {
        if ((refusals[name] ?? 0) > 0) {
          refusals[name]!--;
          throw new Error(`${name} is refused`);
        }
        log.push(`use ${loaded}`);
      },
      async failed(_, error) {
        log.push((error as Error).message);
        return 'cannot_load';
      },
      async pause(ms) {
        pauses.push(ms);
        onPause();
      },
      random: () => 0,
    },
    'first',
  );
  const hold = (name: string) => {
    const held = Promise.withResolvers<void>();
    loading.set(name, held);
    return held.resolve;
  };
  return { newest, log, pauses, hold };
}

test('one that cannot be used is tried again, later each time, until it can', async () => {
  const { newest, log, pauses } = open({ refusals: { a: 3 } });
  newest.want('a');
  await expect.poll(() => log.at(-1)).toBe('use A');
  expect(log.filter((line) => line === 'load a')).toHaveLength(4);
  expect(pauses).toEqual([500, 1_000, 2_000]);
  await newest.close();
});

test('of those that are wanted while one is being loaded, the newest alone is loaded and used', async () => {
  const { newest, log, hold } = open({});
  const release = hold('a');
  newest.want('a');
  await expect.poll(() => log).toEqual(['load a']);
  for (const name of ['b', 'c', 'd']) newest.want(name);
  release();
  await expect.poll(() => log).toEqual(['load a', 'load d', 'use D']);
  await newest.close();
});

test('what is in use already is not loaded again, and ends the attempts at another one', async () => {
  const { newest, log } = open({ refusals: { a: 99 }, onPause: () => newest.want('first') });
  newest.want('a');
  await expect.poll(() => log).toEqual(['load a', 'a is refused']);
  await newest.close();
  expect(log).toEqual(['load a', 'a is refused']);
});

test('closing waits for what is under way, and uses nothing more', async () => {
  const { newest, log, hold } = open({});
  const release = hold('a');
  newest.want('a');
  await expect.poll(() => log).toEqual(['load a']);
  const closed = newest.close();
  release();
  await closed;
  expect(log).toEqual(['load a']);
});
