import { toFoodId } from '@larder/core/food.ts';
import { expect, test } from 'vitest';
import { createKeyIssuer, openKeyStore } from '../../src/app/keys.ts';
import { openDatabase } from '../../src/app/open-backend.ts';
import { readConfig } from '../../src/config/config.ts';
import { list, sql } from '../../src/db/sql.ts';
import { toCustomFood } from '../../src/foods/custom/food-draft.ts';
import { clusterSettings } from '../support/cluster-settings.ts';
import { longFood } from '../support/long-food.ts';
import { PATIENCE } from '../support/patience.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Number of foods whose indexing takes longer than a start may take. */
const FOODS = 4_000;
const ROWS_AT_ONCE = 200;

test('a start does not wait for the indexing of custom foods', async () => {
  using folder = tempFolder();
  const settings = { ...(await clusterSettings()), LARDER_DATA_DIR: folder.path, LARDER_THREADS: '1' };
  const database = await openDatabase(readConfig(settings));
  for (let at = 0; at < FOODS; at += ROWS_AT_ONCE) {
    const rows = Array.from({ length: ROWS_AT_ONCE }, (_, index) => {
      const stamp = { id: toFoodId('manual', `k${at + index}`), createdAt: 1, updatedAt: 1 };
      const food = toCustomFood(longFood(at + index), stamp);
      return sql`(${list(['heavy', food.id, at + index + 1, JSON.stringify(food)])})`;
    });
    await sql`insert into live_foods (tenant_id, id, revision, food) values ${list(rows)}`.all(database.db);
  }
  const issuer = createKeyIssuer(openKeyStore(database), Date.now);
  const { text: heavy } = await issuer.create({ tenant: 'heavy', scopes: ['foods:read', 'foods:write'] });
  const { text: other } = await issuer.create({ tenant: 'other', scopes: ['foods:read'] });
  await database.close();

  await using service = await startServiceProcess(settings, undefined, false);
  const ask = async (path: string, key: string, body?: object) => {
    const answer = await fetch(`${service.url}${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    return [answer.status, (await answer.json()) as { id: string; name: string }[]] as const;
  };
  expect((await ask('/readyz', other))[0]).toBe(200);
  // Requests of the tenant itself are answered from known foods, and other tenants are not delayed.
  const [status, found] = await ask('/v1/foods/search?q=banana', heavy);
  expect([status, found]).toEqual([200, expect.arrayContaining([expect.anything()])]);
  expect(await ask('/v1/foods/search?q=banana', other)).toEqual([200, found]);
  const { name } = longFood(FOODS - 1);
  const search = `/v1/foods/search?q=${encodeURIComponent(name.slice(0, 100))}`;
  const first = async () => (await ask(search, heavy))[1][0]?.name;
  await expect.poll(first, PATIENCE).toBe(name);
  // All foods are indexed now, so that the next write is found at once.
  await ask('/v1/foods', heavy, { ...longFood(0), name: 'Quincejelly' });
  expect((await ask('/v1/foods/search?q=quincejelly', heavy))[1][0]?.name).toBe('Quincejelly');
});
