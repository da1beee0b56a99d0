import type { Food } from '@larder/core/food.ts';
import { EVERY_TENANT } from './custom-food-store.ts';
import { type CustomFoods, NO_FOODS } from './custom-foods.ts';
import type { FoodViewer } from './food-owner.ts';
import { LoadedTenants, type LoadedTenantsOptions } from './loaded-tenants.ts';

export interface SeenCustomFoods {
  /** Whether the foods include every write that this process knows of, and are searchable. */
  readonly isReady: boolean;
  /** The user's own foods. */
  readonly ofUser: CustomFoods;
  /** Foods that all users of the tenant share. */
  readonly ofTenant: CustomFoods;
  /** Foods from external services, which all tenants see. */
  readonly external: CustomFoods;
}

/**
 * Custom foods in the memory of one API thread. Those of a tenant are read at its first request, and kept
 * current by following the tenant's change log.
 *
 *     write ──▶ logged and committed ──▶ hint raised ──▶ every thread sees that it is behind
 *                                                        and reads the changes before it answers
 */
export class CustomFoodCache {
  readonly #options: LoadedTenantsOptions;
  readonly #tenants: LoadedTenants;

  constructor(options: LoadedTenantsOptions) {
    this.#options = options;
    this.#tenants = new LoadedTenants(options);
  }

  /** When the promise resolves, every write that was acknowledged before the call is in memory and searchable. */
  async whenReady(viewer: FoodViewer): Promise<void> {
    await Promise.all([this.#tenants.whenReady(EVERYBODY), this.#tenants.whenReady(viewer)]);
  }

  /** Reads newer writes to custom foods in memory, of any process. */
  async follow(): Promise<void> {
    const tenants = this.#tenants.names;
    await this.#tenants.follow(await this.#options.store.latestRevisions(tenants));
  }

  /** The foods that the viewer sees, if they are in memory. */
  of({ tenant, userId }: FoodViewer): SeenCustomFoods {
    const ofTenant = this.#tenants.find(tenant);
    const ofAll = this.#tenants.find(EVERY_TENANT);
    return {
      isReady: ofTenant?.isReadyFor(userId) === true && ofAll?.isReadyFor(undefined) === true,
      ofUser: ofTenant?.ofUser(userId) ?? NO_FOODS,
      ofTenant: ofTenant?.foods ?? NO_FOODS,
      external: ofAll?.foods ?? NO_FOODS,
    };
  }

  /** Finds a food of the viewer's `sharers` in memory. */
  findOfSharers({ tenant, sharers = [] }: FoodViewer, id: string): Food | undefined {
    const ofTenant = this.#tenants.find(tenant);
    for (const userId of sharers) {
      const food = ofTenant?.ofUser(userId).findById(id);
      if (food !== undefined) return food;
    }
    return undefined;
  }
}

const EVERYBODY: FoodViewer = { tenant: EVERY_TENANT };
