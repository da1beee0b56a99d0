import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CustomFoodChange,
  type CustomFoodStore,
  EVERY_TENANT,
  KEPT_DELETIONS,
} from './custom-food-store.ts';
import { type CustomFoods, NO_FOODS } from './custom-foods.ts';
import type { FoodViewer } from './food-owner.ts';
import { LoadedTenants, type LoadedTenantsOptions } from './loaded-tenants.ts';

/** Changes that are read at a time: so few that reading them takes a thread a few milliseconds, however long they are. */
const PAGE_SIZE = 100;

export interface SeenCustomFoods {
  /** Whether they hold every write that this process knows of, and can be searched. */
  readonly isReady: boolean;
  /** Foods of the user alone. */
  readonly ofUser: CustomFoods;
  /** Foods that the tenant's users share. */
  readonly ofTenant: CustomFoods;
  /** Foods that external services answered with, which all tenants see. */
  readonly external: CustomFoods;
}

export interface CustomFoodCacheOptions extends LoadedTenantsOptions {
  readonly store: Pick<CustomFoodStore, 'changesAfter' | 'latestRevision' | 'list'>;
  readonly cell: SharedRevision;
}

/**
 * Custom foods in the memory of one API thread. Those of a tenant are read when it first asks, and kept up to date by following
 * the store's changes.
 *
 *     write ──▶ store commits revision n ──▶ cell shows n ──▶ every thread sees that it is behind
 *                                                              and reads the changes before it answers
 */
export class CustomFoodCache {
  readonly #options: CustomFoodCacheOptions;
  readonly #tenants: LoadedTenants;
  /** All changes up to it have been applied to the tenants in memory; undefined until the first look. */
  #revision: number | undefined;
  #following: Promise<void> | undefined;

  constructor(options: CustomFoodCacheOptions) {
    this.#options = options;
    this.#tenants = new LoadedTenants(options);
  }

  /** When the promise resolves, every write that was acknowledged before the call is in memory and can be searched. */
  async whenReady(viewer: FoodViewer): Promise<void> {
    if (this.#revision !== this.#options.cell.latest) await this.follow();
    await Promise.all([this.#tenants.whenReady(EVERYBODY), this.#tenants.whenReady(viewer)]);
  }

  /**
   * Reads what was written since, by whichever process, to custom foods in memory. When the promise resolves, every
   * write that was acknowledged before the call has been read. Many calls at one time read once.
   */
  async follow(): Promise<void> {
    // The read under way may have begun before the write that this caller has to see.
    await this.#following?.catch(() => {});
    this.#following ??= this.#readChanges().finally(() => {
      this.#following = undefined;
    });
    return this.#following;
  }

  /** The foods that the viewer sees, as far as they are in memory. */
  of({ tenant, userId }: FoodViewer): SeenCustomFoods {
    const loaded = this.#tenants.find(tenant);
    const external = this.#tenants.find(EVERY_TENANT);
    const isCurrent = this.#revision === this.#options.cell.latest;
    return {
      isReady: isCurrent && loaded?.isReadyFor(userId) === true && external?.isReadyFor(undefined) === true,
      ofUser: loaded?.ofUser(userId) ?? NO_FOODS,
      ofTenant: loaded?.foods ?? NO_FOODS,
      external: external?.foods ?? NO_FOODS,
    };
  }

  async #readChanges(): Promise<void> {
    const { store, cell } = this.#options;
    const latest = cell.latest;
    const begun = this.#revision;
    // Includes the last known one, whose absence shows that the store has lost it.
    for (let after = (begun ?? 0) - 1; begun !== undefined; ) {
      const page = await store.changesAfter(after, PAGE_SIZE);
      after = page.at(-1)?.revision ?? after;
      if ((page.length === 0 && begun > 0 && after < begun) || after > begun + KEPT_DELETIONS) break;
      this.#apply(page.filter(({ revision }) => revision > this.#revision!));
      if (page.length < PAGE_SIZE) {
        cell.setBack(latest, this.#revision!);
        return;
      }
      await nextTurn();
    }
    await this.#beginAnew();
    cell.setBack(latest, this.#revision!);
  }

  /**
   * Forgets what is in memory, to be read again when it is asked for: at the start; where more was written meanwhile than
   * can be followed; and after a failover that lost the latest writes, whose revisions are given to other writes now. That
   * goes unnoticed where as many of those come before this thread looks again.
   */
  async #beginAnew(): Promise<void> {
    this.#revision = undefined;
    const latest = await this.#options.store.latestRevision();
    this.#tenants.clear();
    this.#revision = latest;
    this.#options.cell.advanceTo(latest);
  }

  #apply(changes: readonly CustomFoodChange[]): void {
    this.#tenants.apply(changes);
    this.#revision = changes.at(-1)?.revision ?? this.#revision!;
    this.#options.cell.advanceTo(this.#revision);
  }
}

const EVERYBODY: FoodViewer = { tenant: EVERY_TENANT };

/**
 * One number that all API threads of a process share: the latest revision that any of them knows of. Reading it
 * costs nanoseconds, so every request can afford to ask whether it is up to date.
 */
export class SharedRevision {
  readonly #cell: Int32Array;

  constructor({ memory }: { memory: SharedArrayBuffer }) {
    this.#cell = new Int32Array(memory, 0, 1);
  }

  /** The memory to hand to the other threads. */
  static createMemory(): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  }

  get latest(): number {
    return Atomics.load(this.#cell, 0);
  }

  /** Whatever the order in which threads come, it never goes back by this. */
  advanceTo(revision: number): void {
    let seen = this.latest;
    while (seen < revision) {
      const found = Atomics.compareExchange(this.#cell, 0, seen, revision);
      if (found === seen) return;
      seen = found;
    }
  }

  /** Goes back to `revision`, after which the store has lost everything, unless the cell moved on from `latest` meanwhile. */
  setBack(latest: number, revision: number): void {
    if (revision < latest) Atomics.compareExchange(this.#cell, 0, latest, revision);
  }
}
