import type { Food, FoodId } from '@larder/core/food.ts';
import { isWellFormedText } from '../../base/texts.ts';
import type { NamedRequest } from '../../base/time-ordered-id.ts';
import { list, type Queries, raw, type Sql, sql } from '../../db/sql.ts';
import type { SqlDatabase } from '../../db/sql-database.ts';
import { toStatement, type Writer, writeOne } from '../../db/writer.ts';
import { noteOf } from '../../idempotency/idempotency-store.ts';
import { NO_QUOTA, quotaExceeded, wordsOf } from './food-quota.ts';
import { quotaRefusal, usageOf, userHasRoom } from './food-quota-sql.ts';

const PAGE_SIZE = 1000;

/** All custom foods of one tenant in the order of their ids, read as they are taken. */
export async function* listFoods(store: Pick<CustomFoodStore, 'list'>, tenant: string): AsyncGenerator<Food> {
  for (let after = ''; ; ) {
    const page = await store.list(tenant, after, PAGE_SIZE);
    for (const { food } of page) yield food;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)!.food.id;
  }
}

export type Replaced =
  | { readonly outcome: 'replaced'; readonly revision: number }
  | { readonly outcome: 'missing' }
  /** The food is not at the revision that was expected. */
  | { readonly outcome: 'conflict' };

/**
 * At least so many of the latest revisions are told by `changesAfter` even where they deleted a food. Whoever is farther
 * behind reads all foods anew.
 */
export const KEPT_DELETIONS = 10_000;

/**
 * Owner of the foods that external services answered with, which all tenants share. No tenant can have this name.
 */
export const EVERY_TENANT = '*';

/** A food that came through the API and not with a catalogue. */
export interface CustomFood {
  readonly tenant: string;
  readonly food: Food;
  /** Grows with every write to any custom food; what a client sees as the food's ETag. */
  readonly revision: number;
}

/** One write, as read by those who keep custom foods in memory. */
export interface CustomFoodChange {
  readonly tenant: string;
  readonly id: FoodId;
  readonly revision: number;
  /** Absent when the food was deleted. */
  readonly food?: Food;
}

/** Foods are JSON, as text, since `jsonb` refuses some of what a name can hold; null if the food was deleted. */
export interface CustomFoodsTable {
  readonly tenant_id: string;
  readonly id: string;
  revision: number;
  food: string | null;
  /** The user to whom the food belongs; null if all users of the tenant see it. */
  user_id: string | null;
  /** Number of words by which search finds the food. */
  words: number;
}

/**
 * Writes exclude each other until they are committed, so that the next revision is the highest plus one, and revisions
 * become visible in order. A deleted food stays as a row without content until so many others were written that nobody
 * follows the changes from there.
 */
const NEXT_REVISION = sql`(select coalesce(max(revision), 0) + 1 from live_foods)`;

/** After each so many revisions, the rows of foods that were deleted long ago are removed. */
const PURGED_EVERY = 50;
/** More than can be deleted in between. */
const PURGED_AT_ONCE = 2 * PURGED_EVERY;

type Content = Pick<CustomFoodsTable, 'food' | 'user_id'>;

interface Listed {
  readonly revision: number;
  readonly food: string;
}

const NO_FOOD: Content = { food: null, user_id: null };
/** Condition of rows whose food is not deleted. */
const IS_THERE = sql`food is not null`;

/**
 * Keeps custom foods. What a method has answered is durable and seen by every later call.
 *
 * Revisions are in the order in which writes become visible: after reading all changes up to one revision, no change
 * with a smaller one ever appears.
 */
export class CustomFoodStore {
  readonly #db: Queries;
  readonly #writer: Writer;

  constructor({ db, writer }: Pick<SqlDatabase, 'db' | 'writer'>) {
    this.#db = db;
    this.#writer = writer;
  }

  /**
   * Adds a food, or overwrites the tenant's food with the same id. The new revision. Throws `quota_exceeded` where the tenant
   * has no room for a food more, however many write at one time. Notes in the same step that `request`, where one is given, was
   * carried out.
   */
  async put(tenant: string, food: Food, quota = NO_QUOTA, request?: NamedRequest): Promise<number> {
    const content = toColumns(food);
    const words = wordsOf(food);
    // The first food of a tenant finds no row that says what it uses.
    if (quota.foods < 1 || words > quota.words)
      throw quotaExceeded(quota, await usageOf(this.#db, tenant), words);
    const { food: text, user_id } = content;
    const revision = await this.#writeAlone(
      sql<CustomFoodsTable>`
        insert into live_foods (tenant_id, id, revision, food, user_id, words)
        select cast(${tenant} as text), cast(${food.id} as text), ${NEXT_REVISION}, cast(${text} as text),
          cast(${user_id} as text), cast(${words} as integer)
        where ${userHasRoom(tenant, food, words, quota)} and not exists (
          select tenant_id from live_food_usage
          where tenant_id = ${tenant} and (foods >= ${quota.foods} or words > ${quota.words - words}))
        on conflict (tenant_id, id) do update set ${assigned(content, words)}
        returning revision`,
      request,
    );
    if (revision === undefined) throw await quotaRefusal(this.#db, tenant, food, words, quota);
    return revision;
  }

  /** Overwrites a food that is still at `expectedRevision`. Throws `quota_exceeded` where there is no room for its new words. */
  async replace(tenant: string, food: Food, expectedRevision: number, quota = NO_QUOTA): Promise<Replaced> {
    if (!isWellFormedText(food.id)) return { outcome: 'missing' };
    const words = wordsOf(food);
    const revision = await this.#writeAlone(
      // A food that does not become longer may be changed, however much there is.
      sql<CustomFoodsTable>`
        update live_foods set ${assigned(toColumns(food), words)}
        where tenant_id = ${tenant} and id = ${food.id} and ${IS_THERE} and revision = ${expectedRevision}
          and ((user_id = ${food.userId ?? ''} and words >= ${words}) or ${userHasRoom(tenant, food, words, quota)})
          and (words >= ${words} or not exists (
            select usage.tenant_id from live_food_usage as usage
            where usage.tenant_id = ${tenant} and usage.words - live_foods.words > ${quota.words - words}))
        returning revision`,
    );
    if (revision !== undefined) return { outcome: 'replaced', revision };
    const found = await this.find(tenant, food.id);
    if (found?.revision === expectedRevision) throw await quotaRefusal(this.#db, tenant, food, words, quota);
    return { outcome: found === undefined ? 'missing' : 'conflict' };
  }

  /** Deletes a food; with `expectedRevision` only while it is still there. */
  async remove(tenant: string, id: FoodId, expectedRevision?: number): Promise<Replaced> {
    if (!isWellFormedText(id)) return { outcome: 'missing' };
    const revision = await this.#writeAlone(
      sql<CustomFoodsTable>`
        update live_foods set ${assigned(NO_FOOD, 0)}
        where tenant_id = ${tenant} and id = ${id} and ${IS_THERE}
          ${expectedRevision === undefined ? sql`` : sql`and revision = ${expectedRevision}`}
        returning revision`,
    );
    if (revision !== undefined) return { outcome: 'replaced', revision };
    return { outcome: (await this.find(tenant, id)) === undefined ? 'missing' : 'conflict' };
  }

  async find(tenant: string, id: string): Promise<CustomFood | undefined> {
    if (!isWellFormedText(id)) return undefined;
    const query = sql<CustomFoodsTable>`
      select revision, food from live_foods where tenant_id = ${tenant} and id = ${id}`;
    const row = await query.first(this.#db);
    const food = row && toFood(row);
    return food && { tenant, revision: row.revision, food };
  }

  /** The food of all tenants that was written longest ago. */
  async findOldestShared(): Promise<CustomFood | undefined> {
    // The tenant is written out, so that engines see that the index of shared foods fits.
    const query = sql<Listed>`
      select revision, food from live_foods where tenant_id = ${raw(`'${EVERY_TENANT}'`)} and food is not null
      order by revision limit 1`;
    const row = await query.first(this.#db);
    return row && { tenant: EVERY_TENANT, revision: row.revision, food: JSON.parse(row.food) };
  }

  /** Returns the tenant's foods with these ids, in no order. */
  async findAll(tenant: string, ids: readonly string[]): Promise<readonly Food[]> {
    const asked = ids.filter(isWellFormedText);
    if (asked.length === 0) return [];
    // Few lengths of the list, so that few statements are prepared.
    while (!Number.isInteger(Math.log2(asked.length))) asked.push(asked[0]!);
    const query = sql<CustomFoodsTable>`
      select food from live_foods where tenant_id = ${tenant} and id in (${list(asked)})`;
    const rows = await query.all(this.#db);
    return rows.map(toFood).filter((food) => food !== undefined);
  }

  /**
   * A tenant's foods in the order of their ids, those behind `after`, at most `limit`. With `userId` only those that all
   * users share and those of this user.
   */
  async list(tenant: string, after: string, limit: number, userId?: string): Promise<readonly CustomFood[]> {
    const query = sql<Listed>`
      select revision, food from live_foods
      where tenant_id = ${tenant} and id > ${after} and ${IS_THERE}
        ${userId === undefined ? sql`` : sql`and (user_id is null or user_id = ${userId})`}
      order by id limit ${limit}`;
    const rows = await query.all(this.#db);
    return rows.map(({ revision, food }) => ({ tenant, revision, food: JSON.parse(food) }));
  }

  /** Returns the revision of the latest write to any food; 0 before the first. */
  async latestRevision(): Promise<number> {
    const query = sql<{ latest: number | null }>`select max(revision) as latest from live_foods`;
    return (await query.first(this.#db))?.latest ?? 0;
  }

  /** The latest write to each food after `revision`, oldest first, at most `limit`. Deleted foods are told, too. */
  async changesAfter(revision: number, limit: number): Promise<readonly CustomFoodChange[]> {
    const query = sql<CustomFoodsTable>`
      select * from live_foods where revision > ${revision} order by revision limit ${limit}`;
    const rows = await query.all(this.#db);
    return rows.map((row) => {
      const food = toFood(row);
      const change = { tenant: row.tenant_id, id: row.id as FoodId, revision: row.revision };
      return food === undefined ? change : { ...change, food };
    });
  }

  /** The new revision; undefined where the statement found nothing to write. */
  async #writeAlone(
    query: Sql<Pick<CustomFoodsTable, 'revision'>>,
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
      await writeOne(this.#writer, PURGE_DELETED, lock);
    return revision;
  }
}

const PURGE_DELETED = sql`
  delete from live_foods where revision in (
    select revision from live_foods where food is null
      and revision <= (select max(revision) from live_foods) - ${KEPT_DELETIONS}
    order by revision limit ${PURGED_AT_ONCE})`;

function assigned({ food, user_id }: Content, words: number): Sql {
  return sql`revision = ${NEXT_REVISION}, food = ${food}, user_id = ${user_id}, words = ${words}`;
}

function toColumns(food: Food): Content {
  return { food: JSON.stringify(food), user_id: food.userId ?? null };
}

function toFood({ food }: Pick<Content, 'food'>): Food | undefined {
  return food === null ? undefined : JSON.parse(food);
}
