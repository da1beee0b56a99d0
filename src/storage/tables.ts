import type { Generated } from 'kysely';
import type { AccessTables } from './access-tables.ts';
import type { ScansTable } from './scan-table.ts';

/**
 * Foods are JSON, as text, since `jsonb` refuses some of what a name can hold. A food that all users of the tenant see is in
 * `food`; one that belongs to a user is in `user_food`, where versions before do not look. Only where both are null
 * it is deleted.
 */
export interface LiveFoodsTable {
  readonly tenant_id: string;
  readonly id: string;
  revision: number;
  food: string | null;
  user_id: string | null;
  user_food: string | null;
  /** By which search finds the food; 0 where it was written by a version that did not count them. */
  words: Generated<number>;
}

/** What the rows of each tenant that are not deleted add up to; kept by triggers. */
export interface LiveFoodUsageTable {
  readonly tenant_id: string;
  readonly foods: number;
  readonly words: number;
}

/** Every table that is reached through Kysely. SQLite and PostgreSQL have them alike. */
export interface Tables extends AccessTables {
  readonly live_foods: LiveFoodsTable;
  readonly live_food_usage: LiveFoodUsageTable;
  readonly scans: ScansTable;
}
