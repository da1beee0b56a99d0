import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Food, toFoodId } from '@larder/core/food.ts';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import type { CustomFoodCache } from '../../src/foods/custom/custom-food-cache.ts';
import { CustomFoodStore } from '../../src/foods/custom/custom-food-store.ts';
import { type FoodDraft, toCustomFood } from '../../src/foods/custom/food-draft.ts';
import { longFood, word } from '../../test/support/long-food.ts';
import { inOneTransaction } from '../../test/support/one-transaction.ts';
import { openCustomFoods } from '../../test/support/open-custom-foods.ts';

const VIEWER = { tenant: 'heavy' };
const LONG_FOODS = 1_000;
/** Custom foods that one key can write between two updates of a thread, at its limit of 600 a minute. */
const WRITTEN_AT_ONCE = 5;
/** The defaults of `LARDER_OWN_FOODS_PER_TENANT` and `LARDER_OWN_FOOD_WORDS_PER_TENANT`. */
const QUOTA_FOODS = 10_000;
const WORDS_OF_A_FOOD = 20;
const WORDS_OF_A_NAME = 10;
/** Pending merges continue in turns longer than this. */
const IDLE_MS = 0.5;
const IDLE_TURNS = 20;
const STAMP = { createdAt: 1_760_000_000, updatedAt: 1_760_000_000 };

interface Worked {
  readonly ms: number;
  /** Longest time in which the event loop could not have answered a request. */
  readonly longestStretchMs: number;
}

/** Measures a thread that indexes foods of maximum length, a few at a time, with unique words. */
export async function indexLongFoods(db: SqlDatabase): Promise<Worked> {
  const customFoods = open(db);
  await customFoods.whenReady(VIEWER);
  let [ms, longestStretchMs] = [0, 0];
  for (let at = 0; at < LONG_FOODS; at += WRITTEN_AT_ONCE) {
    const foods = Array.from({ length: WRITTEN_AT_ONCE }, (_, index) =>
      toFood(at + index, longFood(at + index)),
    );
    await putAll(db, foods);
    const worked = await measure(async () => {
      await customFoods.follow();
      await customFoods.whenReady(VIEWER);
    });
    ms += worked.ms;
    longestStretchMs = Math.max(longestStretchMs, worked.longestStretchMs);
  }
  return { ms, longestStretchMs };
}

/** Measures the start of a thread until searches find all foods of a tenant at its quota. */
export async function startAtQuota(db: SqlDatabase): Promise<Worked & { readonly startMs: number }> {
  let next = 0;
  const text = (words: number) => Array.from({ length: words }, () => word(next++)).join(' ');
  for (let at = 0; at < QUOTA_FOODS; at += 1_000) {
    const foods = Array.from({ length: 1_000 }, (_, index) =>
      toFood(at + index, {
        name: text(WORDS_OF_A_NAME),
        aliases: [text(WORDS_OF_A_FOOD - WORDS_OF_A_NAME)],
        servingSize: { value: 100, unit: 'g' },
        macros: { energy: 100, protein: 5, fat: 5, carbohydrates: 10 },
      }),
    );
    await putAll(db, foods);
  }
  const startedAt = performance.now();
  const customFoods = open(db);
  await customFoods.follow();
  const startMs = performance.now() - startedAt;
  return { startMs, ...(await measure(() => customFoods.whenReady(VIEWER))) };
}

function open(db: SqlDatabase): CustomFoodCache {
  return openCustomFoods({ store: new CustomFoodStore(db) });
}

function toFood(number: number, draft: FoodDraft): Food {
  return toCustomFood(draft, { ...STAMP, id: toFoodId('manual', `k${String(number).padStart(8, '0')}`) });
}

function putAll(db: SqlDatabase, foods: readonly Food[]): Promise<void> {
  const store = new CustomFoodStore(db);
  return inOneTransaction(db, async () => {
    for (const food of foods) await store.put(VIEWER.tenant, food);
  });
}

/**
 * Runs work while nothing else runs and records the longest turns of the event loop, later merges included.
 * Measures the processor time of the thread, since other programs of the machine may take the processor at
 * any time.
 */
async function measure(work: () => Promise<void>): Promise<Worked> {
  // Garbage of earlier work would be collected during the measurement.
  await watchTurns(async () => {});
  return watchTurns(work);
}

/** Waits until the work is done and the event loop is idle. */
async function watchTurns(work: () => Promise<void>): Promise<Worked> {
  let [isDone, longestStretchMs, ms, idleTurns] = [false, 0, 0, 0];
  let turnedAt = process.threadCpuUsage();
  const done = work().finally(() => {
    isDone = true;
  });
  while (!isDone || idleTurns < IDLE_TURNS) {
    await nextTurn();
    const { user, system } = process.threadCpuUsage(turnedAt);
    turnedAt = process.threadCpuUsage();
    const stretch = (user + system) / 1_000;
    longestStretchMs = Math.max(longestStretchMs, stretch);
    idleTurns = isDone && stretch < IDLE_MS ? idleTurns + 1 : 0;
    if (idleTurns === 0) ms += stretch;
  }
  await done;
  return { ms, longestStretchMs };
}
