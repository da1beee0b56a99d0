import type { SqlDatabase } from '../../src/storage/sql-database.ts';
import { SqlTenantFoodStore } from '../../src/storage/tenant-food-store.ts';
import { openTwice } from '../support/sqlite.ts';
import { tenantFoodStoreContract } from './tenant-food-store.ts';

const open = (sql: SqlDatabase) => new SqlTenantFoodStore(sql);

tenantFoodStoreContract('SQLite', () => openTwice(open));
