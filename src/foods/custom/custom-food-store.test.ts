import { afterEach, beforeEach, expect, test } from 'vitest';
import { customFood } from '../../../test/support/custom-food.ts';
import { sql } from '../../db/sql.ts';
import { IN_MEMORY, type OpenSqlDatabase, openDatabase } from '../../db/sqlite/database.ts';
import { CustomFoodStore, type CustomFoodsTable, KEPT_DELETIONS } from './custom-food-store.ts';

let db: OpenSqlDatabase;
let store: CustomFoodStore;
beforeEach(async () => {
  db = await openDatabase({ file: IN_MEMORY });
  store = new CustomFoodStore(db);
});
afterEach(() => db.close());

const foods = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, at) => customFood({ key: `${prefix}${at}` }));

async function putAndRemove(count: number, prefix: string): Promise<void> {
  for (const food of foods(count, prefix)) {
    await store.put('acme', food);
    await store.remove('acme', food.id);
  }
}

const deletedRows = () =>
  sql<CustomFoodsTable>`select revision from live_foods where food is null`.all(db.db);

const putOther = (revision: number) =>
  sql`insert into live_foods (tenant_id, id, revision, food) values ('other', 'x', ${revision}, '{}')`.all(
    db.db,
  );

test('rows of deleted foods go when enough others were written, and no sooner', async () => {
  const [kept] = foods(1, 'kept');
  const ofUser = { ...customFood({ key: 'of-user' }), userId: 'ann' };
  for (const food of [kept!, ofUser]) await store.put('acme', food);
  await putAndRemove(120, 'old');
  expect(await deletedRows()).toHaveLength(120);
  // Writes more revisions than a follower may be behind.
  await putOther(KEPT_DELETIONS + 100);
  await putAndRemove(100, 'new');
  const left = await deletedRows();
  const latest = await store.latestRevision();
  const oldest = Math.min(...left.map(({ revision }) => revision));
  expect(oldest).toBeGreaterThan(latest - KEPT_DELETIONS - 50);
  expect(left.filter(({ revision }) => revision > latest - KEPT_DELETIONS).length).toBeGreaterThanOrEqual(
    100,
  );
  expect((await store.find('acme', kept!.id))?.food).toEqual(kept);
  expect((await store.find('acme', ofUser.id))?.food).toEqual(ofUser);
  expect(await store.put('acme', kept!)).toBe(latest + 1);
});

test('however many foods come and go, few rows of deleted ones are left', async () => {
  await putOther(1);
  for (let round = 0; round < 4; round++) {
    await putAndRemove(60, `r${round}-`);
    const jump = (await store.latestRevision()) + KEPT_DELETIONS;
    await sql`update live_foods set revision = ${jump} where id = 'x'`.all(db.db);
    await putAndRemove(60, `s${round}-`);
    expect((await deletedRows()).length).toBeLessThan(130);
  }
});
