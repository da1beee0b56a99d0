import { hash } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import { type Food, type FoodId, toFoodId } from '@larder/core/food.ts';
import {
  createIds,
  type IdSource,
  type NamedRequest,
  parseRecordId,
  recordIdsOf,
} from '../../base/time-ordered-id.ts';
import { type CustomFood, type CustomFoodStore, EVERY_TENANT, type Replaced } from './custom-food-store.ts';
import { type FoodDraft, toCustomFood, toFoodDraft } from './food-draft.ts';
import {
  customFoodIdsOf,
  type FoodViewer,
  isSeen,
  requireChangeable,
  type StatedOwner,
  toOwner,
  unseenBy,
} from './food-owner.ts';
import { type FoodQuota, NO_QUOTA } from './food-quota.ts';

/** Maximum attempts of a change without an expected version, which fail if another writer was faster. */
const MAX_ATTEMPTS = 5;
/** The numbers of a food that is not stored. */
const NOT_STORED = { revision: 0, version: 1 };
const OWNER_CHARACTERS = 12;

/** A food as it was written. */
export type VersionedFood = Pick<CustomFood, 'food' | 'version'>;

export interface CustomFoodWriterOptions {
  readonly store: CustomFoodStore;
  /** Maximum foods of one tenant. */
  readonly quota: FoodQuota;
  /** Maximum foods of all tenants together. */
  readonly sharedQuota: FoodQuota;
  readonly nowMs: () => number;
  /** A new unique key that grows with time. */
  readonly newKey: () => string;
}

/** Whether the id belongs to a custom food. */
export function isCustomFood(id: string): boolean {
  return id.startsWith('manual:');
}

/** The body of a POST. */
export type NewFood = FoodDraft & StatedOwner & { readonly id?: string | undefined };
/** The body of a PATCH: absent fields do not change, `null` removes an optional one. */
export type FoodChange = { readonly [K in keyof FoodDraft]?: FoodDraft[K] | null } & StatedOwner;

/** `isNew` is false for a food that already existed. */
export interface CreatedFood extends CustomFood {
  readonly isNew: boolean;
}

/**
 * Writes custom foods; see `food-owner.ts` for the rights. When a write is answered, it is visible to the
 * whole service. Foods that a caller does not see are `food_not_found`, like missing ones.
 */
export class CustomFoodWriter {
  readonly #store: CustomFoodStore;
  readonly #quota: FoodQuota;
  readonly #sharedQuota: FoodQuota;
  readonly #nowMs: () => number;
  readonly #newKey: () => string;

  constructor({ store, quota, sharedQuota, nowMs, newKey }: CustomFoodWriterOptions) {
    this.#store = store;
    this.#quota = quota;
    this.#sharedQuota = sharedQuota;
    this.#nowMs = nowMs;
    this.#newKey = newKey;
  }

  /**
   * Creates a food, or returns the one that exists under `ids`. With an `id` chosen by its client it also
   * returns the food with that id, unless it was deleted. Throws `deleted` and `quota_exceeded`.
   */
  async create(
    caller: FoodViewer,
    { id: chosen, shared, userId, ...draft }: NewFood,
    ids?: IdSource,
  ): Promise<CreatedFood> {
    const owner = toOwner({ shared, userId }, caller);
    const { tenant } = caller;
    const now = this.#nowSeconds();
    const make = (id: FoodId) =>
      withOwner(toCustomFood(draft, { id, createdAt: now, updatedAt: now }), owner);
    if (chosen !== undefined) {
      // As its client wrote it; a UUID in the other case is the same food.
      const [key] = recordIdsOf(chosen);
      return this.#createChosen(caller, make(toFoodId('manual', chosenKey(key!, tenant, owner))), { ids });
    }
    const key = ids === undefined ? this.#newKey() : createIds(1, ids.timeMs, ids.randomBytes)[0]!;
    const id = toFoodId('manual', key);
    const created = ids?.mayExist === true ? await this.#store.find(tenant, id) : undefined;
    if (created !== undefined) return { ...seen(created, caller), isNew: true };
    const food = make(id);
    // A food that was deleted after the first execution is returned as created, and remains deleted.
    if (ids?.isDone === true) return { tenant, food, ...NOT_STORED, isNew: true };
    return { ...(await this.put(tenant, food, this.#quota, ids?.request)), isNew: true };
  }

  async #createChosen(
    caller: FoodViewer,
    food: Food,
    { ids, isPreview = false }: { ids?: IdSource | undefined; isPreview?: boolean },
  ): Promise<CreatedFood> {
    const { tenant } = caller;
    const find = async () => {
      const found = await this.#find(tenant, food.id);
      // It was given to another owner, so it does not exist for this one any more.
      if (found !== undefined && !isSeen(found.food, caller)) throw wasDeleted();
      return found && { ...found, isNew: false };
    };
    const found = await find();
    if (found !== undefined) return found;
    for (const id of customFoodIdsOf(food.id))
      if (await this.#store.wasDeleted(tenant, id)) throw wasDeleted();
    if (isPreview) return { tenant, food, ...NOT_STORED, isNew: true };
    const written = await this.#store.add(tenant, food, this.#quota, this.#nowMs(), ids?.request);
    if (written !== undefined) return { tenant, food, ...written, isNew: true };
    // Another request has just added it, or added and deleted it.
    const added = await find();
    if (added === undefined) throw wasDeleted();
    return added;
  }

  /**
   * Adds a food with its own id and times, or returns the one that has the id. If the id belongs to another
   * owner's food, the food gets an id derived from both. Throws `deleted` and `quota_exceeded`. A preview
   * writes nothing.
   */
  async restore(tenant: string, food: Food, isPreview = false): Promise<CreatedFood> {
    const caller = { tenant, ...(food.userId !== undefined && { userId: food.userId }) };
    const taken = await this.#store.find(tenant, food.id);
    const isOthers = taken !== undefined && taken.food.userId !== food.userId;
    const id = isOthers ? this.restoredId(tenant, food.userId, food.id) : food.id;
    return this.#createChosen(caller, { ...food, id }, { isPreview });
  }

  /** The id of a restored food whose own id belongs to another owner's food. */
  restoredId(tenant: string, userId: string | undefined, id: FoodId): FoodId {
    const [key] = id.slice(id.indexOf(':') + 1).split('.');
    const known = parseRecordId(key!) ?? keyOfText(key!);
    return toFoodId('manual', chosenKey(known, tenant, userId));
  }

  /** Adds or overwrites a complete food. */
  async put(tenant: string, food: Food, quota = NO_QUOTA, request?: NamedRequest): Promise<CustomFood> {
    return { tenant, food, ...(await this.#store.put(tenant, food, quota, request)) };
  }

  /** Stores a food for all tenants; if there is no room, it replaces the oldest ones. */
  async keepForAll(food: Food): Promise<CustomFood> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.put(EVERY_TENANT, food, this.#sharedQuota);
      } catch (error) {
        const isFull = error instanceof AppError && error.code === 'quota_exceeded';
        if (!isFull || attempt === MAX_ATTEMPTS) throw error;
        const oldest = await this.#store.findOldestShared();
        // If another request removed it first, there may already be room.
        if (oldest !== undefined) await this.#store.remove(EVERY_TENANT, oldest.food.id, oldest.version);
      }
    }
  }

  async get(caller: FoodViewer, id: string): Promise<CustomFood> {
    return seen(await this.#find(caller.tenant, id), caller);
  }

  async #find(tenant: string, id: string): Promise<CustomFood | undefined> {
    for (const each of customFoodIdsOf(id)) {
      const found = await this.#store.find(tenant, each);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Finds the foods that the caller sees, by id. */
  async findAll(caller: FoodViewer, ids: readonly string[]): Promise<ReadonlyMap<string, CustomFood>> {
    const found = await this.#store.findAll(caller.tenant, ids.flatMap(customFoodIdsOf));
    const byId = new Map(
      found.filter(({ food }) => isSeen(food, caller)).map((custom) => [custom.food.id as string, custom]),
    );
    return new Map(
      ids.flatMap((id) => {
        const known = customFoodIdsOf(id).find((each) => byId.has(each));
        return known === undefined ? [] : [[id, byId.get(known)!] as const];
      }),
    );
  }

  /** Lists the foods that the viewer sees in the order of ids, which is that of creation. */
  list(
    viewer: FoodViewer,
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly CustomFood[]> {
    const { tenant, userId } = viewer;
    return this.#store.list(tenant, page.after, page.limit, { userId, unseen: unseenBy(viewer) });
  }

  /**
   * Throws `food_not_found`, `forbidden`, `quota_exceeded`, or `version_conflict` if the food has another version than
   * `expectedVersion`.
   */
  async change(
    caller: FoodViewer,
    id: string,
    { shared, userId, ...change }: FoodChange,
    expectedVersion?: number,
  ): Promise<VersionedFood> {
    return this.#write(caller, id, expectedVersion, async ({ food: old, version }) => {
      const owner = toOwner({ shared, userId }, caller, old.userId);
      const changed = toCustomFood(applyChange(toFoodDraft(old), change), {
        id: old.id,
        createdAt: old.createdAt,
        updatedAt: this.#nowSeconds(),
      });
      const food = withOwner(changed, owner);
      return { food, replaced: await this.#store.replace(caller.tenant, food, version, this.#quota) };
    });
  }

  /** Throws as `change` does. */
  async remove(caller: FoodViewer, id: string, expectedVersion?: number): Promise<void> {
    await this.#write(caller, id, expectedVersion, async ({ food, version }) => ({
      food,
      replaced: await this.#store.remove(caller.tenant, food.id, version),
    }));
  }

  /** Overwrites only the version that was read, so that the change applies to the food that was checked. */
  async #write(
    caller: FoodViewer,
    id: string,
    expectedVersion: number | undefined,
    step: (old: CustomFood) => Promise<{ readonly food: Food; readonly replaced: Replaced }>,
  ): Promise<VersionedFood> {
    for (let attempt = 1; ; attempt++) {
      const old = await this.get(caller, id);
      requireChangeable(old.food, caller);
      if (expectedVersion !== undefined && old.version !== expectedVersion) throw conflict();
      const { food, replaced } = await step(old);
      if (replaced.outcome === 'replaced') return { food, version: replaced.version };
      if (expectedVersion !== undefined || attempt === MAX_ATTEMPTS) throw refusal(replaced);
    }
  }

  #nowSeconds(): number {
    return Math.floor(this.#nowMs() / 1000);
  }
}

function applyChange(draft: FoodDraft, change: Omit<FoodChange, keyof StatedOwner>): FoodDraft {
  const { macros, ...rest } = change;
  const merged: Record<string, unknown> = { ...draft, ...rest };
  // Nutrients are merged one by one, so that correcting the protein keeps the fat.
  merged['macros'] = withoutNulls({ ...draft.macros, ...macros });
  return withoutNulls(merged) as unknown as FoodDraft;
}

function withoutNulls(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

function seen(found: CustomFood | undefined, caller: FoodViewer): CustomFood {
  if (found === undefined || !isSeen(found.food, caller)) throw noSuchFood();
  return found;
}

/**
 * The key of a food whose id its client chose. Ids are unique for a user, so that nobody finds out which
 * foods others have: the key of a user's food ends with a hash of the user.
 */
function chosenKey(id: string, tenant: string, userId: string | undefined): string {
  if (userId === undefined) return id;
  return `${id}.${hash('sha256', JSON.stringify([tenant, userId]), 'base64url').slice(0, OWNER_CHARACTERS)}`;
}

/** A key of at most 43 characters for an id that does not have the service's form. */
function keyOfText(key: string): string {
  return hash('sha256', key, 'base64url');
}

function wasDeleted(): AppError {
  return new AppError({
    code: 'deleted',
    message: 'The food that had this "id" was deleted; choose another one for a new food.',
    details: { fields: ['id'] },
  });
}

function withOwner(food: Food, userId: string | undefined): Food {
  return userId === undefined ? food : { ...food, userId };
}

function refusal({ outcome }: Replaced): AppError {
  return outcome === 'missing' ? noSuchFood() : conflict();
}

function noSuchFood(): AppError {
  return new AppError({ code: 'food_not_found', message: 'There is no custom food with this id.' });
}

function conflict(): AppError {
  return new AppError({
    code: 'version_conflict',
    message: 'The food was changed since; read it again and repeat the change.',
  });
}
