import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { openFoods } from '../../src/app/foods.ts';
import { openDatabase, openEngine } from '../../src/app/open-backend.ts';
import { createSharedMemory } from '../../src/app/shared-memory.ts';
import { readConfig } from '../../src/config/config.ts';
import { FrequentFavourites } from '../../src/diary/frequent-favourites.ts';
import type { FoodDraft } from '../../src/foods/custom/food-draft.ts';
import { compileFoods } from '../support/compiled-foods.ts';
import { BANANA, COLA } from '../support/foods.ts';
import { startLocalServer } from '../support/local-server.ts';
import { MemoryLog } from '../support/memory-log.ts';
import { PATIENCE } from '../support/patience.ts';
import { patientSettings } from '../support/patient-settings.ts';
import { createDatabase, silencePostgres, startPostgres, stopPostgres } from '../support/postgres-server.ts';

const ACME = { tenant: 'acme' };
/** A tenant without requests before PostgreSQL stopped responding. */
const NEW = { tenant: 'new' };
const OUTSIDE_CODE = '5901234123457';
const ASKED_AT_ONCE = 500;

const draft = (name: string): FoodDraft => ({
  name,
  barcode: '4006381333931',
  servingSize: { value: 20, unit: 'g' },
  macros: { energy: 48, protein: 0.1, fat: 0, carbohydrates: 12 },
});

/** Statements have a time-out of two minutes, so that whatever waits for PostgreSQL hangs. */
describe.skipIf(inject('cluster') === undefined)('while PostgreSQL does not respond', () => {
  let opened: AsyncDisposableStack;
  let postgres: string;
  let foods: Awaited<ReturnType<typeof openFoods>>;
  let queries: () => number;
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    postgres = startPostgres();
    opened.defer(() => stopPostgres(postgres));
    const outside = await startLocalServer((_request, response) => {
      const nutriments = { 'energy-kcal_100g': 240, proteins_100g: 1, fat_100g: 1, carbohydrates_100g: 55 };
      const product = { code: OUTSIDE_CODE, product_name: 'Quince jelly', nutriments };
      return response.end(JSON.stringify({ status: 1, code: OUTSIDE_CODE, product }));
    });
    opened.use(outside);
    const config = readConfig({
      ...(await patientSettings()),
      LARDER_DATABASE_URL: await createDatabase(postgres),
      LARDER_OUTSIDE_APIS: 'off',
      LARDER_OFF_API_URL: outside.base,
    });
    await (await openDatabase(config)).close();
    const [memory, log] = [createSharedMemory(), new MemoryLog().logger];
    const engine = await openEngine(config, { thread: 0, memory, log });
    opened.defer(() => engine.close());
    const { pools } = engine.databaseLoad!;
    queries = () => pools.reduce((sum, pool) => sum + pool.waitingQueries + pool.busyConnections, 0);
    const { catalogue } = await compileFoods([[BANANA, COLA]]);
    foods = await openFoods({
      config,
      store: engine.customFoods,
      isTold: false,
      memory: memory.changeHints,
      catalogue: { current: catalogue },
      favourites: new FrequentFavourites({ store: engine.diary }),
      nowMs: engine.nowMs,
      log,
    });
    opened.defer(() => foods.close());
  });
  afterEach(() => opened.disposeAsync());

  const names = async (query: string, viewer = ACME, eater?: string) =>
    (await foods.directory.search(viewer, query, 5, { eater })).map(({ name }) => name);

  test('searches and look-ups use known data, and queries do not pile up', async () => {
    await foods.writer.create(ACME, draft('Plum jam'));
    expect(await names('plum')).toEqual(['Plum jam']);
    // The tenant is known to exist, but its foods were not read yet.
    await foods.writer.create(ACME, draft('Quince jam'));
    const silence = silencePostgres(postgres);
    try {
      expect(await names('plum')).toEqual(['Plum jam']);
      expect(await names('cola', ACME, 'ann')).toEqual([COLA.name]);
      expect(await names('cola', NEW)).toEqual([COLA.name]);
      expect((await foods.directory.getByBarcode(ACME, '4006381333931')).name).toBe('Plum jam');
      expect((await foods.directory.getByBarcode(NEW, COLA.barcode!)).name).toBe(COLA.name);
      // The response cannot be stored, and is sent all the same.
      expect((await foods.directory.getByBarcode(ACME, OUTSIDE_CODE)).name).toBe('Quince jelly');

      const many = Array.from({ length: ASKED_AT_ONCE }, (_, at) =>
        names('jam', at % 2 === 0 ? ACME : NEW, at % 3 === 0 ? 'ann' : undefined),
      );
      const found = await Promise.all(many);
      expect(found.filter(([name]) => name === 'Plum jam')).toHaveLength(ASKED_AT_ONCE / 2);
      // One query follows the log of each tenant.
      expect(queries()).toBeLessThan(12);

      // Callers that log the food would rather wait.
      let isThere = false;
      const complete = Promise.resolve(foods.completeDirectory.search(ACME, 'quince jam', 5)).then((all) => {
        isThere = true;
        return all.map(({ name }) => name);
      });
      expect(await names('plum')).toEqual(['Plum jam']);
      expect(isThere).toBe(false);
      silence[Symbol.dispose]();
      expect(await complete).toContain('Quince jam');
    } finally {
      silence[Symbol.dispose]();
    }
    await vi.waitFor(
      async () => expect(await names('quince jam', ACME, 'ann')).toContain('Quince jam'),
      PATIENCE,
    );
    await vi.waitFor(async () => expect(await names('quince', NEW)).toEqual(['Quince jelly']), PATIENCE);
  });
});
