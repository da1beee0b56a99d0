import type { AccessTables } from '../sql/access-tables.ts';

/** `food` is JSON; null for a food that was deleted. */
export interface LiveFoodsTable {
  readonly tenant_id: string;
  readonly id: string;
  revision: number;
  food: string | null;
}

/** Every table that is reached through Kysely. */
export interface Tables extends AccessTables {
  readonly live_foods: LiveFoodsTable;
}
