import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { compileFoods } from '../../../test/support/compiled-foods.ts';
import { Catalogue } from '../file/catalogue.ts';
import { readStarterFoods } from '../starter/starter-foods.ts';
import { NameIndex } from './name-index.ts';
import { MAX_LINES, MAX_LINES_LENGTH, MAX_TEXT_LENGTH, readText } from './read-text.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

const LINE_LENGTH = MAX_LINES_LENGTH / MAX_LINES;

/** The most searches and look-ups of names between two turns of the thread, and all of them. */
async function workOf(text: string | readonly string[]) {
  const searches = vi.spyOn(Catalogue.prototype, 'search');
  const lookUps = vi.spyOn(NameIndex.prototype, 'find');
  const most = { searches: 0, lookUps: 0 };
  const all = { searches: 0, lookUps: 0 };
  const count = () => {
    for (const [key, { mock }] of [
      ['searches', searches],
      ['lookUps', lookUps],
    ] as const) {
      most[key] = Math.max(most[key], mock.calls.length);
      all[key] += mock.calls.length;
    }
    searches.mockClear();
    lookUps.mockClear();
  };
  let isDone = false;
  const reading = readText(text, { finder: catalogue }).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    count();
    await nextTurn();
  }
  count();
  vi.restoreAllMocks();
  return { most, all, read: await reading };
}

test('between two searches the thread does its other work, and a text makes few of them', async () => {
  const { most, all, read } = await workOf('green egg, black apple, '.repeat(100).slice(0, MAX_TEXT_LENGTH));
  expect(most.searches).toBe(1);
  expect(all.searches).toBe(16);
  expect(read.items.length).toBeGreaterThan(16);
});

test('so it does between two lines', async () => {
  const line = 'milk, rice, egg and bread '.repeat(20).slice(0, LINE_LENGTH);
  const { most, all } = await workOf(Array<string>(MAX_LINES).fill(line));
  expect(most.lookUps).toBe(all.lookUps / MAX_LINES);
  expect(most.lookUps).toBeGreaterThan(4);
});

test('a list makes more searches than a text, but no unbounded number', async () => {
  const lines = Array.from({ length: MAX_LINES }, (_, at) => `${at + 1} black apples`);
  const { most, all } = await workOf(lines);
  expect(most.searches).toBe(1);
  expect(all.searches).toBe(48);
});
