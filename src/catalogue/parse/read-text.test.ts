import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { compileFoods } from '../../../test/support/compiled-foods.ts';
import { Catalogue } from '../file/catalogue.ts';
import { readStarterFoods } from '../starter/starter-foods.ts';
import { NameIndex } from './names/name-index.ts';
import { LIST_BUDGET, TEXT_BUDGET } from './parse-foods.ts';
import { MAX_LINES, MAX_TEXT_LENGTH, readText } from './read-text.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

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
  expect(all.searches).toBe(TEXT_BUDGET.searches);
  expect(read.items.length).toBeGreaterThan(TEXT_BUDGET.searches);
});

test('so it does between two lines', async () => {
  const line = 'egg, milk and rice';
  const one = await workOf(line);
  const { most, all } = await workOf(Array<string>(MAX_LINES).fill(line));
  expect(most.lookUps).toBe(one.all.lookUps);
  expect(all.lookUps).toBe(MAX_LINES * one.all.lookUps);
});

test('a list looks up no unbounded number of names', async () => {
  const line = 'soda pop with chips, a hamburger with fries, and a veggie pizza on toast with butter and jam';
  const one = await workOf(line);
  const { all, read } = await workOf(Array<string>(MAX_LINES).fill(line));
  expect(all.lookUps).toBeGreaterThan(LIST_BUDGET.lookUps);
  expect(all.lookUps).toBeLessThan(LIST_BUDGET.lookUps + MAX_LINES * 20);
  expect(all.lookUps).toBeLessThan(MAX_LINES * one.all.lookUps);
  expect(read.items.at(-1)).toMatchObject({ line: MAX_LINES - 1 });
});

test('a list makes more searches than a text, but no unbounded number', async () => {
  const lines = Array.from({ length: MAX_LINES }, (_, at) => `${at + 1} black apples`);
  const { most, all } = await workOf(lines);
  expect(most.searches).toBe(1);
  expect(all.searches).toBe(LIST_BUDGET.searches);
  expect(LIST_BUDGET.searches).toBeGreaterThan(TEXT_BUDGET.searches);
});
