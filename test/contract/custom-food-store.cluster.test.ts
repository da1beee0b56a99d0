import { describe } from 'vitest';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { CustomFoodStore } from '../../src/foods/custom/custom-food-store.ts';
import { hasPgbouncer, hasPostgres, openPooledTwice, openPostgresTwice } from '../support/postgres.ts';
import { customFoodStoreContract } from './custom-food-store.ts';

const open = (sql: SqlDatabase) => new CustomFoodStore(sql);

describe.skipIf(!hasPostgres)('where PostgreSQL is installed', () => {
  customFoodStoreContract('PostgreSQL', () => openPostgresTwice(open));
});

describe.skipIf(!hasPgbouncer)('where pgbouncer is installed', () => {
  customFoodStoreContract('PostgreSQL through pgbouncer', () => openPooledTwice(open));
});
