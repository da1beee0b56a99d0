import type { Food, FoodId } from '@larder/core/food.ts';
import { isWellFormedText } from '../../base/texts.ts';
import type { NamedRequest } from '../../base/time-ordered-id.ts';
import { ChangeLog } from '../../changes/change-log.ts';
import { list, type Queries, raw, type Sql, sql } from '../../db/sql.ts';
import type { SqlDatabase } from '../../db/sql-database.ts';
import { type Change, type Lock, toStatement, type Writer } from '../../db/writer.ts';
import { noteOf } from '../../idempotency/idempotency-store.ts';
import { type FoodQuota, NO_QUOTA, quotaExceeded, wordsOf } from './food-quota.ts';
import { quotaRefusal, usageOf, userHasRoom } from './food-quota-sql.ts';

const PAGE_SIZE = 1000;
/** No feed tells of the foods that all tenants share, only threads follow them. */
const KEPT_SHARED_DELETIONS_MS = 3_600_000;

/** All custom foods of one tenant in the order of their ids, read as they are taken. */
export async function* readFoods(store: Pick<CustomFoodStore, 'list'>, tenant: string): AsyncGenerator<Food> {
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
 * Owner of the foods that external services answered with, which all tenants share. No tenant can have this name.
 */
export const EVERY_TENANT = '*';

/** A food that came through the API and not with a catalogue. */
export interface CustomFood {
  readonly tenant: string;
  readonly food: Food;
  /** The number of its latest write in the tenant's log of changes; what a client sees as the food's ETag. */
  readonly revision: number;
}

/** One write, as read by those who keep custom foods in memory. */
export interface CustomFoodChange {
  readonly id: FoodId;
  readonly revision: number;
  /** Absent when the food was deleted. */
  readonly food?: Food;
}

/** Foods are JSON, as text, since `jsonb` refuses some of what a name can hold. */
export interface CustomFoodsTable {
  readonly tenant_id: string;
  readonly id: string;
  revision: number;
  food: string;
  /** The user to whom the food belongs; null if all users of the tenant see it. */
  user_id: string | null;
  /** Number of words by which search finds the food. */
  words: number;
}

/** Writes of one tenant's foods exclude each other until they are committed, so that this is the number that the log gives them. */
function nextRevision(tenant: string): Sql {
  return sql`(select coalesce(max(seq), 0) + 1 from change_heads where tenant_id = ${tenant} and user_id = '')`;
}

export function foodsLock(tenant: string): Lock {
  return { name: `foods of ${tenant}` };
}

type Content = Pick<CustomFoodsTable, 'food' | 'user_id'>;

type Listed = Pick<CustomFoodsTable, 'revision' | 'food'>;

/**
 * Keeps custom foods. What a method has answered is durable and seen by every later call. All foods of a tenant, also those of its
 * users, are in the tenant's log of changes, which is that of the empty user id.
 */
export class CustomFoodStore {
  readonly #db: Queries;
  readonly #writer: Writer;
  readonly #log: ChangeLog;

  constructor({ db, writer }: SqlDatabase) {
    this.#db = db;
    this.#writer = writer;
    this.#log = new ChangeLog({ db });
  }

  /**
   * Adds a food, or overwrites the tenant's food with the same id. The new revision. Throws `quota_exceeded` where the tenant
   * has no room for a food more, however many write at one time. Notes in the same step that `request`, where one is given, was
   * carried out.
   */
  async put(tenant: string, food: Food, quota = NO_QUOTA, request?: NamedRequest): Promise<number> {
    const words = wordsOf(food);
    // The first food of a tenant finds no row that says what it uses.
    if (quota.foods < 1 || words > quota.words)
      throw quotaExceeded(quota, await usageOf(this.#db, tenant), words);
    const revision = await this.#write(
      { tenant, id: food.id, seenBy: food.userId },
      sql<CustomFoodsTable>`
        ${insertIfRoom(tenant, food, words, quota)}
        on conflict (tenant_id, id) do update set ${assigned(tenant, toColumns(food), words)}
        returning revision`,
      request,
    );
    if (revision === undefined) throw await quotaRefusal(this.#db, tenant, food, words, quota);
    return revision;
  }

  /** Adds a food whose id its client chose; undefined where there is or was one with this id. Throws and notes as `put` does. */
  async add(
    tenant: string,
    food: Food,
    quota: FoodQuota,
    chosenAtMs: number,
    request?: NamedRequest,
  ): Promise<number | undefined> {
    const words = wordsOf(food);
    if (quota.foods < 1 || words > quota.words)
      throw quotaExceeded(quota, await usageOf(this.#db, tenant), words);
    const isUsed = sql`
      select id from changes where tenant_id = ${tenant} and user_id = '' and kind = 'food' and id = ${food.id}`;
    const revision = await this.#write(
      { tenant, id: food.id, seenBy: food.userId, chosenAtMs },
      sql<CustomFoodsTable>`
        ${insertIfRoom(tenant, food, words, quota)} and not exists (${isUsed})
        returning revision`,
      request,
    );
    if (revision !== undefined || (await isUsed.first(this.#db)) !== undefined) return revision;
    throw await quotaRefusal(this.#db, tenant, food, words, quota);
  }

  async wasDeleted(tenant: string, id: FoodId): Promise<boolean> {
    const query = sql`
      select id from changes
      where tenant_id = ${tenant} and user_id = '' and kind = 'food' and id = ${id} and deleted = 1`;
    return (await query.prepared('was-food-deleted').first(this.#db)) !== undefined;
  }

  /** Overwrites a food that is still at `expectedRevision`. Throws `quota_exceeded` where there is no room for its new words. */
  async replace(tenant: string, food: Food, expectedRevision: number, quota = NO_QUOTA): Promise<Replaced> {
    if (!isWellFormedText(food.id)) return { outcome: 'missing' };
    const words = wordsOf(food);
    const revision = await this.#write(
      { tenant, id: food.id, seenBy: food.userId },
      // A food that does not become longer may be changed, however much there is.
      sql<CustomFoodsTable>`
        update live_foods set ${assigned(tenant, toColumns(food), words)}
        where tenant_id = ${tenant} and id = ${food.id} and revision = ${expectedRevision}
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
    const revision = await this.#write(
      { tenant, id, isDeleted: true },
      sql<CustomFoodsTable>`
        delete from live_foods where tenant_id = ${tenant} and id = ${id}
          ${expectedRevision === undefined ? sql`` : sql`and revision = ${expectedRevision}`}
        returning ${nextRevision(tenant)} as revision`,
    );
    if (revision !== undefined) return { outcome: 'replaced', revision };
    return { outcome: (await this.find(tenant, id)) === undefined ? 'missing' : 'conflict' };
  }

  async find(tenant: string, id: string): Promise<CustomFood | undefined> {
    if (!isWellFormedText(id)) return undefined;
    const query = sql<CustomFoodsTable>`
      select revision, food from live_foods where tenant_id = ${tenant} and id = ${id}`;
    const row = await query.first(this.#db);
    return row && { tenant, revision: row.revision, food: JSON.parse(row.food) };
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
  async findAll(tenant: string, ids: readonly string[]): Promise<readonly CustomFood[]> {
    const asked = ids.filter(isWellFormedText);
    if (asked.length === 0) return [];
    // Few lengths of the list, so that few statements are prepared.
    while (!Number.isInteger(Math.log2(asked.length))) asked.push(asked[0]!);
    const query = sql<Listed>`
      select revision, food from live_foods where tenant_id = ${tenant} and id in (${list(asked)})`;
    const rows = await query.all(this.#db);
    return rows.map(({ revision, food }) => ({ tenant, revision, food: JSON.parse(food) }));
  }

  /**
   * A tenant's foods in the order of their ids, those behind `after`, at most `limit`. With `userId` only those that all
   * users share and those of this user.
   */
  async list(tenant: string, after: string, limit: number, userId?: string): Promise<readonly CustomFood[]> {
    const query = sql<Listed>`
      select revision, food from live_foods
      where tenant_id = ${tenant} and id > ${after}
        ${userId === undefined ? sql`` : sql`and (user_id is null or user_id = ${userId})`}
      order by id limit ${limit}`;
    const rows = await query.all(this.#db);
    return rows.map(({ revision, food }) => ({ tenant, revision, food: JSON.parse(food) }));
  }

  /** Returns the revision of the latest write to a food of each tenant; absent before the first. */
  async latestRevisions(tenants: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (tenants.length === 0) return new Map();
    const query = sql<{ readonly tenant_id: string; readonly seq: number }>`
      select tenant_id, seq from change_heads where tenant_id in (${list(tenants)}) and user_id = ''`;
    const rows = await query.all(this.#db);
    return new Map(rows.map((row) => [row.tenant_id, row.seq]));
  }

  /**
   * Returns the latest write to each of a tenant's foods after `revision`, oldest first, at most `limit`, deletions included.
   * Undefined where foods are to be read anew; see `ChangeLog.since`.
   */
  async changesAfter(
    tenant: string,
    revision: number,
    limit: number,
  ): Promise<readonly CustomFoodChange[] | undefined> {
    const page = await this.#log.since({ tenant, userId: '' }, revision, limit);
    if (page === undefined) return undefined;
    const written = page.changes.filter(({ isDeleted }) => !isDeleted);
    const foods = await this.findAll(
      tenant,
      written.map(({ id }) => id),
    );
    const byId = new Map<string, Food>(foods.map(({ food }) => [food.id, food]));
    return page.changes.map(({ id, seq }) => {
      // A food that is missing was deleted meanwhile, which a later change tells again.
      const food = byId.get(id);
      return { id: id as FoodId, revision: seq, ...(food && { food }) };
    });
  }

  /** Returns the new revision; undefined where the statement found nothing to write. */
  async #write(
    {
      tenant,
      id,
      ...how
    }: { tenant: string; id: string } & Pick<Change, 'isDeleted' | 'seenBy' | 'chosenAtMs'>,
    query: Sql<Pick<CustomFoodsTable, 'revision'>>,
    request?: NamedRequest,
  ): Promise<number | undefined> {
    const { rows } = await this.#writer.write<{ readonly revision: number }>({
      statements: [toStatement(query), ...(request === undefined ? [] : [noteOf(request)])],
      firstDecides: true,
      lock: foodsLock(tenant),
      change: {
        ...{ tenant, userId: '', kind: 'food', ids: [id], ...how },
        ...(tenant === EVERY_TENANT && { keptMs: KEPT_SHARED_DELETIONS_MS }),
      },
    });
    return rows[0]?.revision;
  }
}

function insertIfRoom(tenant: string, food: Food, words: number, quota: FoodQuota): Sql {
  const { food: text, user_id } = toColumns(food);
  return sql`
    insert into live_foods (tenant_id, id, revision, food, user_id, words)
    select cast(${tenant} as text), cast(${food.id} as text), ${nextRevision(tenant)}, cast(${text} as text),
      cast(${user_id} as text), cast(${words} as integer)
    where ${userHasRoom(tenant, food, words, quota)} and not exists (
      select tenant_id from live_food_usage
      where tenant_id = ${tenant} and (foods >= ${quota.foods} or words > ${quota.words - words}))`;
}

function assigned(tenant: string, { food, user_id }: Content, words: number): Sql {
  return sql`revision = ${nextRevision(tenant)}, food = ${food}, user_id = ${user_id}, words = ${words}`;
}

function toColumns(food: Food): Content {
  return { food: JSON.stringify(food), user_id: food.userId ?? null };
}
