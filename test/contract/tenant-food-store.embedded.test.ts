import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { TenantFoodStore } from '../../src/foods/own/tenant-food-store.ts';
import { openTwice } from '../support/sqlite.ts';
import { tenantFoodStoreContract } from './tenant-food-store.ts';

const open = (sql: SqlDatabase) => new TenantFoodStore(sql);

tenantFoodStoreContract('SQLite', () => openTwice(open));
