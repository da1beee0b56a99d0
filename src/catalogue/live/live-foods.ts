import { EVERY_TENANT, type LiveFoodChange } from './live-food.ts';
import type { LiveFoodStore } from './live-food-store.ts';
import type { RevisionCell } from './revision-cell.ts';
import { TenantFoods } from './tenant-foods.ts';

/** Changes that are read from the store at a time. */
const PAGE_SIZE = 1000;
/** Changes that are applied at a time: so many that a start indexes each food only once or twice. */
const MAX_BATCH = 50_000;

export interface LiveFoodsPorts {
  readonly store: Pick<LiveFoodStore, 'changesAfter'>;
  readonly cell: RevisionCell;
}

/**
 * All live foods in the memory of one API thread, kept up to date by following the store's changes.
 *
 *     write ──▶ store commits revision n ──▶ cell shows n ──▶ every thread sees that it is behind
 *                                                              and reads the changes before it answers
 */
export class LiveFoods {
  readonly #store: LiveFoodsPorts['store'];
  readonly #cell: RevisionCell;
  readonly #tenants = new Map<string, TenantFoods>();
  #revision = 0;
  #catchingUp: Promise<void> | undefined;

  constructor({ store, cell }: LiveFoodsPorts) {
    this.#store = store;
    this.#cell = cell;
  }

  /** Whether every write that this process knows of is in memory. */
  get isCurrent(): boolean {
    return this.#revision >= this.#cell.latest;
  }

  /**
   * Reads what was written since, by whichever process. When the promise resolves, every write that was
   * acknowledged before the call is in memory.
   */
  async catchUp(): Promise<void> {
    // The read under way may have begun before the write that this caller has to see.
    await this.#catchingUp;
    this.#catchingUp ??= this.#readChanges().finally(() => {
      this.#catchingUp = undefined;
    });
    return this.#catchingUp;
  }

  /** The foods of a tenant, and those that are everybody's. */
  of(tenant: string): { readonly own: TenantFoods; readonly shared: TenantFoods } {
    return {
      own: this.#tenants.get(tenant) ?? NO_FOODS,
      shared: this.#tenants.get(EVERY_TENANT) ?? NO_FOODS,
    };
  }

  async #readChanges(): Promise<void> {
    const latest = this.#cell.latest;
    for (let more = true; more; ) {
      const batch: LiveFoodChange[] = [];
      do {
        // Includes the last known one, whose absence shows that the store has lost it.
        const after = batch.at(-1)?.revision ?? this.#revision - 1;
        const page = await this.#store.changesAfter(after, PAGE_SIZE);
        batch.push(...page);
        more = page.length === PAGE_SIZE;
      } while (more && batch.length < MAX_BATCH);
      if (batch.length === 0 && this.#revision > 0) {
        this.#beginAnew();
        more = true;
      } else {
        this.#apply(batch.filter(({ revision }) => revision > this.#revision));
      }
    }
    this.#cell.setBack(latest, this.#revision);
  }

  /**
   * Reads everything again after a failover that lost the latest writes, whose revisions are given to other writes now. Goes
   * unnoticed where as many of those come before this thread looks again.
   */
  #beginAnew(): void {
    this.#tenants.clear();
    this.#revision = 0;
  }

  #apply(changes: readonly LiveFoodChange[]): void {
    for (const [tenant, ofTenant] of Map.groupBy(changes, (change) => change.tenant)) {
      const foods = this.#tenants.get(tenant) ?? new TenantFoods();
      this.#tenants.set(tenant, foods);
      foods.apply(ofTenant);
    }
    this.#revision = changes.at(-1)?.revision ?? this.#revision;
    this.#cell.advanceTo(this.#revision);
  }
}

const NO_FOODS = new TenantFoods();
