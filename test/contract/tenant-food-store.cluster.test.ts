import { describe } from 'vitest';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { TenantFoodStore } from '../../src/foods/own/tenant-food-store.ts';
import { hasPgbouncer, openPooledTwice, openPostgresTwice, postgresPrograms } from '../support/postgres.ts';
import { tenantFoodStoreContract } from './tenant-food-store.ts';

const open = (sql: SqlDatabase) => new TenantFoodStore(sql);

describe.skipIf(postgresPrograms === undefined)('where PostgreSQL is installed', () => {
  tenantFoodStoreContract('PostgreSQL', () => openPostgresTwice(open));
});

describe.skipIf(!hasPgbouncer)('where pgbouncer is installed', () => {
  tenantFoodStoreContract('PostgreSQL through pgbouncer', () => openPooledTwice(open));
});
