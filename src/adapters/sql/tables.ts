import type { AccessTables } from './access-tables.ts';
import type { ScansTable } from './scan-table.ts';

/** `food` is JSON, as text, since `jsonb` refuses some of what a name can hold; null for a food that was deleted. */
export interface LiveFoodsTable {
  readonly tenant_id: string;
  readonly id: string;
  revision: number;
  food: string | null;
}

/** Every table that is reached through Kysely. SQLite and PostgreSQL have them alike. */
export interface Tables extends AccessTables {
  readonly live_foods: LiveFoodsTable;
  readonly scans: ScansTable;
}
