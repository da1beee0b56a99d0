import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Food } from '@larder/core/food.ts';
import type { FavouriteFoods } from '@larder/text/parse/food-finder.ts';
import { BackgroundWork } from '../base/background-work.ts';
import type { Log } from '../base/log.ts';
import { RepeatedTask } from '../base/repeated-task.ts';
import { createIds } from '../base/time-ordered-id.ts';
import { withFallback } from '../base/with-fallback.ts';
import type { Config } from '../config/config.ts';
import { ChangeHints } from '../db/change-hints.ts';
import type { Queries } from '../db/sql.ts';
import { RecipeFoods } from '../diary/recipe-foods.ts';
import type { RecipeStore } from '../diary/store/recipe-store.ts';
import { CustomFoodCache } from '../foods/custom/custom-food-cache.ts';
import { CustomFoodStore, EVERY_TENANT, readFoods } from '../foods/custom/custom-food-store.ts';
import { CustomFoodWriter } from '../foods/custom/custom-food-writer.ts';
import type { ExternalLookupOptions } from '../foods/external/external-lookup.ts';
import { type CurrentCatalogue, FoodDirectory } from '../foods/visible-foods.ts';
import type { Engine } from './backend.ts';
import { databaseFile } from './data-folder.ts';
import { openDatabase } from './open-backend.ts';

/** Maximum time for which a search or look-up waits for custom foods to load, or for the foods that its user eats. */
const FOODS_PATIENCE_MS = 100;
const MEBIBYTE = 2 ** 20;
/** Maximum average number of words in a food from an external service. */
const EXTERNAL_FOOD_WORDS = 20;
/** Poll interval for foods written by another process, so that they appear within a second without a signal. */
const CUSTOM_FOODS_POLL_MS = 500;
/** Poll interval if one process writes all foods and its threads share hints. */
const TOLD_POLL_MS = 10_000;

export interface FoodsOptions {
  readonly config: Config;
  readonly store: Engine['customFoods'];
  /** `SharedMemory.changeHints`. */
  readonly memory: SharedArrayBuffer;
  /** Whether all writes increment the hints in `memory`, as in an embedded service. */
  readonly isTold: boolean;
  readonly catalogue: CurrentCatalogue;
  /** Reads the recipes that callers find as foods; absent if recipes are not searched. */
  readonly recipes?: { readonly db: Queries; readonly store: RecipeStore } | undefined;
  /** The foods that a user eats, for ranking searches. */
  readonly favourites?: FavouriteFoods;
  readonly nowMs: Engine['nowMs'];
  readonly log: Log;
}

/** The foods that callers see, and the operations that write some. */
export async function openFoods(options: FoodsOptions) {
  const { config, store, memory, isTold, recipes: recipesFrom, nowMs, log, ...finding } = options;
  const pollMs = isTold ? TOLD_POLL_MS : CUSTOM_FOODS_POLL_MS;
  const inMemory = {
    hints: new ChangeHints({ memory }),
    work: new BackgroundWork({ nowMs: () => performance.now() }),
    onError: (err: unknown) => log.error({ err }, 'custom foods could not be indexed'),
  };
  const customFoods = new CustomFoodCache({
    ...inMemory,
    store,
    maxBytes: config.customFoodsMemoryMb * MEBIBYTE,
  });
  const recipes =
    recipesFrom &&
    new RecipeFoods({ ...inMemory, ...recipesFrom, maxAgeMs: pollMs, nowMs: () => performance.now() });
  const polling = new RepeatedTask(() => customFoods.follow(), {
    everyMs: pollMs,
    onError(err, failures) {
      if (failures > 1) return;
      log.error({ err }, 'new writes of custom foods cannot be read; known foods are served');
    },
  });
  polling.start();
  const writer = new CustomFoodWriter({
    store,
    quota: config.customFoods,
    sharedQuota: { foods: config.externalFoods, words: config.externalFoods * EXTERNAL_FOOD_WORDS },
    nowMs,
    newKey: () => createIds(1, nowMs(), randomBytes)[0]!,
  });
  const keep = (food: Food) =>
    writer.keepForAll(food).then(
      () => undefined,
      (err) => log.error({ err }, 'a food from an external service could not be stored'),
    );
  const externalLookup = await openExternalLookup(config, {
    // The response does not depend on it.
    keep: (food) => withFallback(FOODS_PATIENCE_MS, keep(food), undefined),
    nowMs: Date.now,
    onAnswer: (source, outcome, reason) =>
      log.debug({ source, outcome, reason }, 'called an external service'),
  });
  const directory = { customFoods, recipes, ...finding, externalLookup };
  return {
    /** For callers that prefer an incomplete response to none. */
    directory: new FoodDirectory({ ...directory, patienceMs: FOODS_PATIENCE_MS }),
    /** For callers that store the foods that they find. */
    completeDirectory: new FoodDirectory(directory),
    writer,
    close: () => polling.stop(),
  };
}

/** Reads the foods of external services. Does not create a database in an empty data folder. */
export async function* readExternalFoods(config: Config): AsyncGenerator<Food> {
  if (config.mode === 'embedded' && !existsSync(databaseFile(config))) return;
  const database = await openDatabase(config);
  try {
    yield* readFoods(new CustomFoodStore(database), EVERY_TENANT);
  } finally {
    await database.close();
  }
}

/** Undefined if no service is configured; then its code is not loaded. */
async function openExternalLookup(config: Config, options: Omit<ExternalLookupOptions, 'sources'>) {
  if (config.externalApis.length === 0) return undefined;
  const [{ ExternalLookup }, { CircuitBreaker, CIRCUIT_LIMITS }, { OffProductApi }, { FdcFoodSearch }] =
    await Promise.all([
      import('../foods/external/external-lookup.ts'),
      import('../foods/external/circuit-breaker.ts'),
      import('../foods/external/off-product-api.ts'),
      import('../foods/external/fdc-food-search.ts'),
    ]);
  const open = {
    off: () => new OffProductApi({ base: config.offApiUrl }),
    fdc: () => new FdcFoodSearch({ base: config.fdcApiUrl, apiKey: config.fdcApiKey }),
  };
  // Services are asked in the configured order.
  const sources = config.externalApis.map(
    (name) => new CircuitBreaker({ source: open[name](), limits: CIRCUIT_LIMITS, nowMs: Date.now }),
  );
  return new ExternalLookup({ sources, ...options });
}
