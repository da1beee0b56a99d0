import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { PeopleStore } from '../../src/people/people-store.ts';
import { openTwice } from '../support/sqlite.ts';
import { peopleStoreContract } from './people-store.ts';

const open = (sql: SqlDatabase) => new PeopleStore(sql);

peopleStoreContract('SQLite', () => openTwice(open));
