import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { SqlTenantFoodStore } from '../../src/foods/own/sql-tenant-food-store.ts';
import { openTwice } from '../support/sqlite.ts';
import { tenantFoodStoreContract } from './tenant-food-store.ts';

const open = (sql: SqlDatabase) => new SqlTenantFoodStore(sql);

tenantFoodStoreContract('SQLite', () => openTwice(open));
