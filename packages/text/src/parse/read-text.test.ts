import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { Catalogue } from '../../../../src/foods/catalogue/catalogue.ts';
import { readStarterFoods } from '../../../../src/foods/starter/starter-foods.ts';
import { compileFoods } from '../../../../test/support/compiled-foods.ts';
import { NameLookUp } from './names/name-look-up.ts';
import { MAX_LINES, MAX_TEXT_LENGTH, readText } from './read-text.ts';
import { LIST_BUDGET, TEXT_BUDGET } from './reading-budget.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

/** Counts the maximum number of searches and name look-ups between two turns of the event loop, and their total. */
async function workOf(text: string | readonly string[]) {
  const searches = vi.spyOn(Catalogue.prototype, 'search');
  const lookUps = vi.spyOn(NameLookUp.prototype, 'find');
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

const FOODS = [...readStarterFoods()].map(({ name }) => name.toLowerCase().replace(/[,(].*/, ''));

/** Distinct foods that are not generic. */
const unknownFoods = (count: number) => Array.from({ length: count }, (_, at) => `${FOODS[at]} xq${at}z`);

test('other work of the thread runs between two searches, and a text makes few searches', async () => {
  const { most, all, read } = await workOf(unknownFoods(100).join(', ').slice(0, MAX_TEXT_LENGTH));
  expect(most.searches).toBe(1);
  expect(all.searches).toBe(TEXT_BUDGET.searches);
  expect(read.items.length).toBeGreaterThan(TEXT_BUDGET.searches);
});

test('repeated words of a list are looked up once', async () => {
  const line = 'zunkel egg, xqzvw apple';
  const repeated = await workOf(Array<string>(10).fill(line));
  // Look-ups are remembered beyond the list.
  const once = await workOf([line, line]);
  expect(once.all.searches).toBeGreaterThan(0);
  expect(repeated.all.lookUps).toBeGreaterThan(0);
  expect(repeated.all.searches).toBe(once.all.searches);
  expect(once.all.lookUps).toBe(0);
  expect(repeated.read.items).toHaveLength(5 * once.read.items.length);
});

/** A list with the maximum number of lines, each with other foods. */
const LINES = Array.from({ length: MAX_LINES }, (_, line) =>
  Array.from({ length: 5 }, (_, at) => FOODS[(line * 7 + at * 31) % FOODS.length]).join(' with '),
);

test('other work of the thread runs between two lines and within them', async () => {
  for (const text of [LINES, LINES.join(' ').slice(0, MAX_TEXT_LENGTH)]) {
    const { most, all } = await workOf(text);
    expect(most.lookUps).toBeLessThan(100);
    expect(all.lookUps).toBeGreaterThan(200);
  }
});

test('a list looks up a bounded number of names', async () => {
  const alone = [];
  for (const line of LINES) alone.push((await workOf(line)).all.lookUps);
  const { all, read } = await workOf(LINES);
  expect(all.lookUps).toBeLessThan(LIST_BUDGET.lookUps + MAX_LINES * 20);
  expect(all.lookUps).toBeLessThan(alone.reduce((sum, lookUps) => sum + lookUps, 0));
  expect(read.items.at(-1)).toMatchObject({ line: MAX_LINES - 1 });
});

test('a list makes more searches than a text, but a bounded number', async () => {
  const { most, all } = await workOf(unknownFoods(MAX_LINES));
  expect(most.searches).toBe(1);
  expect(all.searches).toBe(LIST_BUDGET.searches);
  expect(LIST_BUDGET.searches).toBeGreaterThan(TEXT_BUDGET.searches);
});

test('concurrent searches do no more work than one text may cause', async () => {
  const search = vi.spyOn(Catalogue.prototype, 'search');
  const left: number[] = [];
  search.mockImplementation((_text, _limit, { work } = {}) => {
    work!.left -= TEXT_BUDGET.work / 3;
    left.push(work!.left);
    return [];
  });
  await readText(unknownFoods(10).join(', '), { finder: catalogue });
  vi.restoreAllMocks();
  expect(left).toHaveLength(3);
});
