import { sql } from 'kysely';
import type { Food, FoodId } from '../../catalogue/food.ts';
import type { LiveFood, LiveFoodChange } from '../../catalogue/live/live-food.ts';
import type { LiveFoodStore, Replaced } from '../../catalogue/live/live-food-store.ts';
import { isStorable } from '../../storable-text.ts';
import type { QueryBuilder, SqlDatabase } from './sql-database.ts';

/**
 * Writes exclude each other until they are committed, so that the next revision is the highest plus one, and revisions
 * become visible in order. A deleted food stays as a row without content.
 */
const NEXT_REVISION = sql<number>`(select coalesce(max(revision), 0) + 1 from live_foods)`;

export class SqlLiveFoodStore implements LiveFoodStore {
  readonly #reads: QueryBuilder;
  readonly #alone: SqlDatabase['alone'];

  /** `reads`: where reads take a way of their own, else the same as writes. */
  constructor({
    db,
    alone,
    reads = db,
  }: Pick<SqlDatabase, 'db' | 'alone'> & { readonly reads?: QueryBuilder }) {
    this.#reads = reads;
    this.#alone = alone;
  }

  async put(tenant: string, food: Food): Promise<number> {
    const text = JSON.stringify(food);
    const { revision } = await this.#alone('live_foods', (db) =>
      db
        .insertInto('live_foods')
        .values({ tenant_id: tenant, id: food.id, revision: NEXT_REVISION, food: text })
        .onConflict((conflict) =>
          conflict.columns(['tenant_id', 'id']).doUpdateSet({ revision: NEXT_REVISION, food: text }),
        )
        .returning('revision')
        .executeTakeFirstOrThrow(),
    );
    return revision;
  }

  replace(tenant: string, food: Food, expectedRevision: number): Promise<Replaced> {
    return this.#write(tenant, food.id, JSON.stringify(food), expectedRevision);
  }

  remove(tenant: string, id: FoodId, expectedRevision?: number): Promise<Replaced> {
    return this.#write(tenant, id, null, expectedRevision);
  }

  async find(tenant: string, id: string): Promise<LiveFood | undefined> {
    if (!isStorable(id)) return undefined;
    const row = await this.#reads
      .selectFrom('live_foods')
      .select(['revision', 'food'])
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined || row.food === null) return undefined;
    return { tenant, revision: row.revision, food: JSON.parse(row.food) };
  }

  async list(tenant: string, after: string, limit: number): Promise<readonly LiveFood[]> {
    const rows = await this.#reads
      .selectFrom('live_foods')
      .select(['revision', sql<string>`food`.as('food')])
      .where('tenant_id', '=', tenant)
      .where('id', '>', after)
      .where('food', 'is not', null)
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ revision, food }) => ({ tenant, revision, food: JSON.parse(food) }));
  }

  async latestRevision(): Promise<number> {
    const { latest } = await this.#reads
      .selectFrom('live_foods')
      .select(({ fn }) => fn.max('revision').as('latest'))
      .executeTakeFirstOrThrow();
    return latest ?? 0;
  }

  async changesAfter(revision: number, limit: number): Promise<readonly LiveFoodChange[]> {
    const rows = await this.#reads
      .selectFrom('live_foods')
      .selectAll()
      .where('revision', '>', revision)
      .orderBy('revision')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      tenant: row.tenant_id,
      id: row.id as FoodId,
      revision: row.revision,
      ...(row.food !== null && { food: JSON.parse(row.food) as Food }),
    }));
  }

  async #write(tenant: string, id: FoodId, food: string | null, expected?: number): Promise<Replaced> {
    if (!isStorable(id)) return { outcome: 'missing' };
    const written = await this.#alone('live_foods', (db) =>
      db
        .updateTable('live_foods')
        .set({ revision: NEXT_REVISION, food })
        .where('tenant_id', '=', tenant)
        .where('id', '=', id)
        .where('food', 'is not', null)
        .$if(expected !== undefined, (update) => update.where('revision', '=', expected!))
        .returning('revision')
        .executeTakeFirst(),
    );
    if (written !== undefined) return { outcome: 'replaced', revision: written.revision };
    return { outcome: (await this.find(tenant, id)) === undefined ? 'missing' : 'conflict' };
  }
}
