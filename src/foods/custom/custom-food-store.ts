import type { AppError } from '@larder/core/errors.ts';
import type { Food, FoodId } from '@larder/core/food.ts';
import { isWellFormedText } from '../../base/texts.ts';
import type { NamedRequest } from '../../base/time-ordered-id.ts';
import { ChangeLog } from '../../changes/change-log.ts';
import { list, type Queries, raw, type Sql, sql } from '../../db/sql.ts';
import type { SqlDatabase } from '../../db/sql-database.ts';
import { type Change, type Lock, toStatement, type Writer } from '../../db/writer.ts';
import { noteOf } from '../../idempotency/idempotency-store.ts';
import { type FoodQuota, NO_QUOTA, quotaExceeded, userQuota, wordsOf } from './food-quota.ts';

/** Whether the food's user has room for it, or it is shared. */
function userHasRoom(tenant: string, { id, userId }: Food, words: number, quota: FoodQuota) {
  const share = userQuota(quota);
  return userId === undefined
    ? sql`true`
    : sql`(select count(*) < ${share.foods} and coalesce(sum(own.words), 0) <= ${share.words - words}
        from live_foods as own where own.tenant_id = ${tenant} and own.user_id = ${userId} and own.id <> ${id})`;
}

/** The reason for which there was no room. */
async function quotaRefusal(
  db: Queries,
  tenant: string,
  food: Food,
  words: number,
  quota: FoodQuota,
): Promise<AppError> {
  if (food.userId === undefined) return quotaExceeded(quota, await usageOf(db, tenant), words);
  const share = userQuota(quota);
  const using = sql<FoodQuota>`
    select count(*) as foods, coalesce(sum(words), 0) as words from live_foods
    where tenant_id = ${tenant} and user_id = ${food.userId} and id <> ${food.id}`;
  const used = (await using.first(db))!;
  const isFull = used.foods >= share.foods || used.words + words > share.words;
  return isFull
    ? quotaExceeded(share, used, words, 'user')
    : quotaExceeded(quota, await usageOf(db, tenant), words);
}

export async function usageOf(db: Queries, tenant: string): Promise<FoodQuota> {
  const using = sql<FoodQuota>`select foods, words from live_food_usage where tenant_id = ${tenant}`;
  return (await using.first(db)) ?? { foods: 0, words: 0 };
}

const PAGE_SIZE = 1000;
/** No feed includes foods that all tenants share; only threads follow them. */
const KEPT_SHARED_DELETIONS_MS = 3_600_000;

/** All custom foods of one tenant in the order of their ids, read lazily. */
export async function* readFoods(store: Pick<CustomFoodStore, 'list'>, tenant: string): AsyncGenerator<Food> {
  for (let after = ''; ; ) {
    const page = await store.list(tenant, after, PAGE_SIZE);
    for (const { food } of page) yield food;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)!.food.id;
  }
}

export type Replaced =
  | ({ readonly outcome: 'replaced' } & Numbers)
  | { readonly outcome: 'missing' }
  /** The food has another version than the expected one. */
  | { readonly outcome: 'conflict' };

/** Owner of the foods from external services, which all tenants share. No tenant can have this name. */
export const EVERY_TENANT = '*';

/** A food that was created through the API and not by an import. */
export interface CustomFood {
  readonly tenant: string;
  readonly food: Food;
  /** The number of its latest write in the tenant's change log. */
  readonly revision: number;
  /** 1 at first, and one more with each change. */
  readonly version: number;
}

/** What a write of a food gave it. */
export type Numbers = Pick<CustomFood, 'revision' | 'version'>;

/** One write, as read by caches of custom foods. */
export interface CustomFoodChange {
  readonly id: FoodId;
  readonly revision: number;
  /** Absent if the food was deleted. */
  readonly food?: Food;
}

/** Foods are JSON, as text, because `jsonb` rejects some characters of names. */
export interface CustomFoodsTable {
  readonly tenant_id: string;
  readonly id: string;
  revision: number;
  food: string;
  /** The user to whom the food belongs; null if all users of the tenant see it. */
  user_id: string | null;
  /** Number of words by which search finds the food. */
  words: number;
  version: number;
}

/** Writes of a tenant exclude each other until the commit, so that this number equals the one in the log. */
function nextRevision(tenant: string): Sql {
  return sql`(select coalesce(max(seq), 0) + 1 from change_heads where tenant_id = ${tenant} and user_id = '')`;
}

export function foodsLock(tenant: string): Lock {
  return { name: `foods of ${tenant}` };
}

type Content = Pick<CustomFoodsTable, 'food' | 'user_id'>;

interface ListedFor {
  readonly userId?: string | undefined;
  readonly unseen?: readonly string[];
}

type Listed = Pick<CustomFoodsTable, 'revision' | 'version' | 'food'>;

/**
 * Stores custom foods. A write is durable and visible to every later call when its method returns. All foods
 * of a tenant, including those of its users, are in the tenant's change log, which has the empty user id.
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
   * Adds a food, or overwrites the tenant's food with the same id. Returns its numbers. Throws
   * `quota_exceeded` if the tenant has no room for another food, with any number of concurrent writers.
   * Records in the same step that `request`, if given, was executed.
   */
  async put(tenant: string, food: Food, quota = NO_QUOTA, request?: NamedRequest): Promise<Numbers> {
    const words = wordsOf(food);
    // For the first food of a tenant there is no row with its usage.
    if (quota.foods < 1 || words > quota.words)
      throw quotaExceeded(quota, await usageOf(this.#db, tenant), words);
    const written = await this.#write(
      { tenant, id: food.id, seenBy: food.userId },
      sql<Listed>`
        ${insertIfRoom(tenant, food, words, quota)}
        on conflict (tenant_id, id) do update set ${assigned(tenant, toColumns(food), words)}
        returning revision, version`,
      request,
    );
    if (written === undefined) throw await quotaRefusal(this.#db, tenant, food, words, quota);
    return written;
  }

  /** Like `put` with an id that the client chose; undefined if a food with this id exists or existed. */
  async add(
    tenant: string,
    food: Food,
    quota: FoodQuota,
    chosenAtMs: number,
    request?: NamedRequest,
  ): Promise<Numbers | undefined> {
    const words = wordsOf(food);
    if (quota.foods < 1 || words > quota.words)
      throw quotaExceeded(quota, await usageOf(this.#db, tenant), words);
    const isUsed = sql`
      select id from changes where tenant_id = ${tenant} and user_id = '' and kind = 'food' and id = ${food.id}`;
    const written = await this.#write(
      { tenant, id: food.id, seenBy: food.userId, chosenAtMs },
      sql<Listed>`
        ${insertIfRoom(tenant, food, words, quota)} and not exists (${isUsed})
        returning revision, version`,
      request,
    );
    if (written !== undefined || (await isUsed.first(this.#db)) !== undefined) return written;
    throw await quotaRefusal(this.#db, tenant, food, words, quota);
  }

  async wasDeleted(tenant: string, id: FoodId): Promise<boolean> {
    const query = sql`
      select id from changes
      where tenant_id = ${tenant} and user_id = '' and kind = 'food' and id = ${id} and deleted = 1`;
    return (await query.prepared('was-food-deleted').first(this.#db)) !== undefined;
  }

  /** Overwrites a food that still has `expectedVersion`. Throws `quota_exceeded` without room for its new words. */
  async replace(tenant: string, food: Food, expectedVersion: number, quota = NO_QUOTA): Promise<Replaced> {
    if (!isWellFormedText(food.id)) return { outcome: 'missing' };
    const words = wordsOf(food);
    const written = await this.#write(
      { tenant, id: food.id, seenBy: food.userId },
      // A food that does not become longer may be changed even above the quota.
      sql<Listed>`
        update live_foods set ${assigned(tenant, toColumns(food), words)}
        where tenant_id = ${tenant} and id = ${food.id} and version = ${expectedVersion}
          and ((user_id = ${food.userId ?? ''} and words >= ${words}) or ${userHasRoom(tenant, food, words, quota)})
          and (words >= ${words} or not exists (
            select usage.tenant_id from live_food_usage as usage
            where usage.tenant_id = ${tenant} and usage.words - live_foods.words > ${quota.words - words}))
        returning revision, version`,
    );
    if (written !== undefined) return { outcome: 'replaced', ...written };
    const found = await this.find(tenant, food.id);
    if (found?.version === expectedVersion) throw await quotaRefusal(this.#db, tenant, food, words, quota);
    return { outcome: found === undefined ? 'missing' : 'conflict' };
  }

  /** Deletes a food; with `expectedVersion` only if it still has that. */
  async remove(tenant: string, id: FoodId, expectedVersion?: number): Promise<Replaced> {
    if (!isWellFormedText(id)) return { outcome: 'missing' };
    const written = await this.#write(
      { tenant, id, isDeleted: true },
      sql<Listed>`
        delete from live_foods where tenant_id = ${tenant} and id = ${id}
          ${expectedVersion === undefined ? sql`` : sql`and version = ${expectedVersion}`}
        returning ${nextRevision(tenant)} as revision, version`,
    );
    if (written !== undefined) return { outcome: 'replaced', ...written };
    return { outcome: (await this.find(tenant, id)) === undefined ? 'missing' : 'conflict' };
  }

  async find(tenant: string, id: string): Promise<CustomFood | undefined> {
    if (!isWellFormedText(id)) return undefined;
    const query = sql<Listed>`
      select revision, version, food from live_foods where tenant_id = ${tenant} and id = ${id}`;
    const row = await query.first(this.#db);
    return row && toCustomFood(tenant, row);
  }

  /** The shared food of external services with the oldest write. */
  async findOldestShared(): Promise<CustomFood | undefined> {
    // The tenant is a constant in the text, so that query planners see that the index of shared foods
    // applies.
    const query = sql<Listed>`
      select revision, version, food from live_foods where tenant_id = ${raw(`'${EVERY_TENANT}'`)} and food is not null
      order by revision limit 1`;
    const row = await query.first(this.#db);
    return row && toCustomFood(EVERY_TENANT, row);
  }

  /** Returns the tenant's foods with these ids, in no order. */
  async findAll(tenant: string, ids: readonly string[]): Promise<readonly CustomFood[]> {
    const asked = ids.filter(isWellFormedText);
    if (asked.length === 0) return [];
    // Padded to few different lengths, so that few statements are prepared.
    while (!Number.isInteger(Math.log2(asked.length))) asked.push(asked[0]!);
    const query = sql<Listed>`
      select revision, version, food from live_foods where tenant_id = ${tenant} and id in (${list(asked)})`;
    const rows = await query.all(this.#db);
    return rows.map((row) => toCustomFood(tenant, row));
  }

  /**
   * A tenant's foods in the order of their ids, those after `after`, at most `limit`. With `userId` only
   * shared foods and those of this user, with `unseen` none of these users.
   */
  async list(
    tenant: string,
    after: string,
    limit: number,
    { userId, unseen = [] }: ListedFor = {},
  ): Promise<readonly CustomFood[]> {
    const query = sql<Listed>`
      select revision, version, food from live_foods
      where tenant_id = ${tenant} and id > ${after}
        ${userId === undefined ? sql`` : sql`and (user_id is null or user_id = ${userId})`}
        ${unseen.length === 0 ? sql`` : sql`and (user_id is null or user_id not in (${list(unseen)}))`}
      order by id limit ${limit}`;
    const rows = await query.all(this.#db);
    return rows.map((row) => toCustomFood(tenant, row));
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
   * Returns the latest write to each of a tenant's foods after `revision`, oldest first, at most `limit`,
   * deletions included. Undefined if all foods must be read again; see `ChangeLog.since`.
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
      // A missing food was deleted meanwhile; a later change reports that.
      const food = byId.get(id);
      return { id: id as FoodId, revision: seq, ...(food && { food }) };
    });
  }

  /** Returns the new numbers; undefined if the statement changed no row. */
  async #write(
    {
      tenant,
      id,
      ...how
    }: { tenant: string; id: string } & Pick<Change, 'isDeleted' | 'seenBy' | 'chosenAtMs'>,
    query: Sql<Numbers>,
    request?: NamedRequest,
  ): Promise<Numbers | undefined> {
    const { rows } = await this.#writer.write<Numbers>({
      statements: [toStatement(query), ...(request === undefined ? [] : [noteOf(request)])],
      firstDecides: true,
      lock: foodsLock(tenant),
      change: {
        ...{ tenant, userId: '', kind: 'food', ids: [id], ...how },
        ...(tenant === EVERY_TENANT && { keptMs: KEPT_SHARED_DELETIONS_MS }),
      },
    });
    return rows[0];
  }
}

function toCustomFood(tenant: string, { revision, version, food }: Listed): CustomFood {
  return { tenant, revision, version, food: JSON.parse(food) };
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
  return sql`revision = ${nextRevision(tenant)}, version = live_foods.version + 1, food = ${food}, user_id = ${user_id}, words = ${words}`;
}

function toColumns(food: Food): Content {
  return { food: JSON.stringify(food), user_id: food.userId ?? null };
}
