import { type Compilable, sql } from 'kysely';
import type { Food, FoodId } from '../catalogue/food/food.ts';
import { NO_QUOTA, quotaExceeded, wordsOf } from '../catalogue/tenant-foods/food-quota.ts';
import {
  EVERY_TENANT,
  KEPT_DELETIONS,
  type Replaced,
  type TenantFood,
  type TenantFoodChange,
  type TenantFoodStore,
} from '../catalogue/tenant-foods/tenant-food-store.ts';
import type { NamedRequest } from '../time-ordered-id.ts';
import { isWellFormedText } from '../well-formed-text.ts';
import { noteOf } from './idempotency-store.ts';
import type { LiveFoodsTable, QueryBuilder, SqlDatabase } from './sql-database.ts';
import { quotaRefusal, usageOf, userHasRoom } from './tenant-food-quota.ts';
import { toStatement, type Writer, writeOne } from './writer.ts';

/**
 * Writes exclude each other until they are committed, so that the next revision is the highest plus one, and revisions
 * become visible in order. A deleted food stays as a row without content until so many others were written that nobody
 * follows the changes from there.
 */
const NEXT_REVISION = sql<number>`(select coalesce(max(revision), 0) + 1 from live_foods)`;

/** After each so many revisions, the rows of foods that were deleted long ago are removed. */
const PURGED_EVERY = 50;
/** More than can be deleted in between. */
const PURGED_AT_ONCE = 2 * PURGED_EVERY;

type Content = Pick<LiveFoodsTable, 'food' | 'user_id' | 'user_food'>;

const NO_FOOD: Content = { food: null, user_id: null, user_food: null };
/** Of a row: whether its food was not deleted. */
const IS_THERE = sql<boolean>`(food is not null or user_food is not null)`;

export class SqlTenantFoodStore implements TenantFoodStore {
  readonly #db: QueryBuilder;
  readonly #writer: Writer;

  constructor({ db, writer }: Pick<SqlDatabase, 'db' | 'writer'>) {
    this.#db = db;
    this.#writer = writer;
  }

  async put(tenant: string, food: Food, quota = NO_QUOTA, request?: NamedRequest): Promise<number> {
    const content = toColumns(food);
    const words = wordsOf(food);
    // The first food of a tenant finds no row that says what it uses.
    if (quota.foods < 1 || words > quota.words)
      throw quotaExceeded(quota, await usageOf(this.#db, tenant), words);
    const revision = await this.#writeAlone(
      this.#db
        .insertInto('live_foods')
        .columns(['tenant_id', 'id', 'revision', 'food', 'user_id', 'user_food', 'words'])
        .expression(
          this.#db
            .selectNoFrom([
              sql`cast(${tenant} as text)`.as('tenant_id'),
              sql`cast(${food.id} as text)`.as('id'),
              NEXT_REVISION.as('revision'),
              sql`cast(${content.food} as text)`.as('food'),
              sql`cast(${content.user_id} as text)`.as('user_id'),
              sql`cast(${content.user_food} as text)`.as('user_food'),
              sql`cast(${words} as integer)`.as('words'),
            ])
            .where(userHasRoom(tenant, food, words, quota))
            .where(({ not, exists }) =>
              not(
                exists(
                  this.#db
                    .selectFrom('live_food_usage')
                    .select('tenant_id')
                    .where('tenant_id', '=', tenant)
                    .where(({ or, eb }) =>
                      or([eb('foods', '>=', quota.foods), eb('words', '>', quota.words - words)]),
                    ),
                ),
              ),
            ),
        )
        .onConflict((conflict) =>
          conflict.columns(['tenant_id', 'id']).doUpdateSet({ revision: NEXT_REVISION, ...content, words }),
        )
        .returning('revision'),
      request,
    );
    if (revision === undefined) throw await quotaRefusal(this.#db, tenant, food, words, quota);
    return revision;
  }

  async replace(tenant: string, food: Food, expectedRevision: number, quota = NO_QUOTA): Promise<Replaced> {
    if (!isWellFormedText(food.id)) return { outcome: 'missing' };
    const words = wordsOf(food);
    const revision = await this.#writeAlone(
      this.#db
        .updateTable('live_foods')
        .set({ revision: NEXT_REVISION, ...toColumns(food), words })
        .where('tenant_id', '=', tenant)
        .where('id', '=', food.id)
        .where(IS_THERE)
        .where('revision', '=', expectedRevision)
        .where(({ or, and, eb }) =>
          or([
            and([eb('user_id', '=', food.userId ?? ''), eb('words', '>=', words)]),
            userHasRoom(tenant, food, words, quota),
          ]),
        )
        // A food that does not become longer may be changed, however much there is.
        .where(({ or, eb, not, exists }) =>
          or([
            eb('words', '>=', words),
            not(
              exists(
                this.#db
                  .selectFrom('live_food_usage as usage')
                  .select('usage.tenant_id')
                  .where('usage.tenant_id', '=', tenant)
                  .where(sql<boolean>`usage.words - live_foods.words > ${quota.words - words}`),
              ),
            ),
          ]),
        )
        .returning('revision'),
    );
    if (revision !== undefined) return { outcome: 'replaced', revision };
    const found = await this.find(tenant, food.id);
    if (found?.revision === expectedRevision) throw await quotaRefusal(this.#db, tenant, food, words, quota);
    return { outcome: found === undefined ? 'missing' : 'conflict' };
  }

  async remove(tenant: string, id: FoodId, expectedRevision?: number): Promise<Replaced> {
    if (!isWellFormedText(id)) return { outcome: 'missing' };
    const revision = await this.#writeAlone(
      this.#db
        .updateTable('live_foods')
        .set({ revision: NEXT_REVISION, ...NO_FOOD, words: 0 })
        .where('tenant_id', '=', tenant)
        .where('id', '=', id)
        .where(IS_THERE)
        .$if(expectedRevision !== undefined, (update) => update.where('revision', '=', expectedRevision!))
        .returning('revision'),
    );
    if (revision !== undefined) return { outcome: 'replaced', revision };
    return { outcome: (await this.find(tenant, id)) === undefined ? 'missing' : 'conflict' };
  }

  async find(tenant: string, id: string): Promise<TenantFood | undefined> {
    if (!isWellFormedText(id)) return undefined;
    const row = await this.#db
      .selectFrom('live_foods')
      .select(['revision', 'food', 'user_food'])
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirst();
    const food = row && toFood(row);
    return food && { tenant, revision: row.revision, food };
  }

  async findOldestShared(): Promise<TenantFood | undefined> {
    const row = await this.#db
      .selectFrom('live_foods')
      .select(['revision', sql<string>`food`.as('food')])
      .where('tenant_id', '=', sql.lit(EVERY_TENANT))
      .where('food', 'is not', null)
      .orderBy('revision')
      .limit(1)
      .executeTakeFirst();
    return row && { tenant: EVERY_TENANT, revision: row.revision, food: JSON.parse(row.food) };
  }

  async findAll(tenant: string, ids: readonly string[]): Promise<readonly Food[]> {
    const asked = ids.filter(isWellFormedText);
    if (asked.length === 0) return [];
    // Few lengths of the list, so that few statements are prepared.
    while (!Number.isInteger(Math.log2(asked.length))) asked.push(asked[0]!);
    const rows = await this.#db
      .selectFrom('live_foods')
      .select(['food', 'user_food'])
      .where('tenant_id', '=', tenant)
      .where('id', 'in', asked)
      .execute();
    return rows.map(toFood).filter((food) => food !== undefined);
  }

  async list(tenant: string, after: string, limit: number, userId?: string): Promise<readonly TenantFood[]> {
    const rows = await this.#db
      .selectFrom('live_foods')
      .select(['revision', sql<string>`coalesce(food, user_food)`.as('food')])
      .where('tenant_id', '=', tenant)
      .where('id', '>', after)
      .where(IS_THERE)
      .$if(userId !== undefined, (of) =>
        of.where(({ or, eb }) => or([eb('user_id', 'is', null), eb('user_id', '=', userId!)])),
      )
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ revision, food }) => ({ tenant, revision, food: JSON.parse(food) }));
  }

  async latestRevision(): Promise<number> {
    const { latest } = await this.#db
      .selectFrom('live_foods')
      .select(({ fn }) => fn.max('revision').as('latest'))
      .executeTakeFirstOrThrow();
    return latest ?? 0;
  }

  async changesAfter(revision: number, limit: number): Promise<readonly TenantFoodChange[]> {
    const rows = await this.#db
      .selectFrom('live_foods')
      .selectAll()
      .where('revision', '>', revision)
      .orderBy('revision')
      .limit(limit)
      .execute();
    return rows.map((row) => {
      const food = toFood(row);
      const change = { tenant: row.tenant_id, id: row.id as FoodId, revision: row.revision };
      return food === undefined ? change : { ...change, food };
    });
  }

  /** The new revision; undefined where the statement found nothing to write. */
  async #writeAlone(
    query: Compilable<{ readonly revision: number }>,
    request?: NamedRequest,
  ): Promise<number | undefined> {
    const lock = { table: 'live_foods' } as const;
    const written = await this.#writer.write<{ readonly revision: number }>({
      statements: [toStatement(query), ...(request === undefined ? [] : [noteOf(request)])],
      firstDecides: true,
      lock,
    });
    const revision = written.rows[0]?.revision;
    if (revision !== undefined && revision % PURGED_EVERY === 0)
      await writeOne(this.#writer, purgeDeleted(this.#db), lock);
    return revision;
  }
}

function purgeDeleted(db: QueryBuilder) {
  return db
    .deleteFrom('live_foods')
    .where('revision', 'in', (of) =>
      of
        .selectFrom('live_foods')
        .select('revision')
        .where('food', 'is', null)
        .where('user_food', 'is', null)
        .where('revision', '<=', sql<number>`(select max(revision) from live_foods) - ${KEPT_DELETIONS}`)
        .orderBy('revision')
        .limit(PURGED_AT_ONCE),
    );
}

function toColumns(food: Food): Content {
  const text = JSON.stringify(food);
  if (food.userId === undefined) return { ...NO_FOOD, food: text };
  return { food: null, user_id: food.userId, user_food: text };
}

function toFood({ food, user_food: ofUser }: Pick<Content, 'food' | 'user_food'>): Food | undefined {
  const text = food ?? ofUser;
  return text === null ? undefined : JSON.parse(text);
}
