import { EVERY_TENANT } from './custom-food-store.ts';
import { type CustomFoods, NO_FOODS } from './custom-foods.ts';
import type { FoodViewer } from './food-owner.ts';
import { LoadedTenants, type LoadedTenantsOptions } from './loaded-tenants.ts';

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

/**
 * Custom foods in the memory of one API thread. Those of a tenant are read when it first asks, and kept up to date by following
 * the tenant's log of changes.
 *
 *     write ──▶ logged and committed ──▶ hint raised ──▶ every thread sees that it is behind
 *                                                         and reads the changes before it answers
 */
export class CustomFoodCache {
  readonly #options: LoadedTenantsOptions;
  readonly #tenants: LoadedTenants;

  constructor(options: LoadedTenantsOptions) {
    this.#options = options;
    this.#tenants = new LoadedTenants(options);
  }

  /** When the promise resolves, every write that was acknowledged before the call is in memory and can be searched. */
  async whenReady(viewer: FoodViewer): Promise<void> {
    await Promise.all([this.#tenants.whenReady(EVERYBODY), this.#tenants.whenReady(viewer)]);
  }

  /** Reads what was written since, by whichever process, to custom foods in memory. */
  async follow(): Promise<void> {
    const tenants = this.#tenants.names;
    await this.#tenants.follow(await this.#options.store.latestRevisions(tenants));
  }

  /** The foods that the viewer sees, as far as they are in memory. */
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
}

const EVERYBODY: FoodViewer = { tenant: EVERY_TENANT };
