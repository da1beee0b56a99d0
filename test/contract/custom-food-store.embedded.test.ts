import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { CustomFoodStore } from '../../src/foods/custom/custom-food-store.ts';
import { openTwice } from '../support/sqlite.ts';
import { customFoodStoreContract } from './custom-food-store.ts';

const open = (sql: SqlDatabase) => new CustomFoodStore(sql);

customFoodStoreContract('SQLite', () => openTwice(open));
