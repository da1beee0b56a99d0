import { KeyStore } from '../../src/access/key-store.ts';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { HouseholdStore } from '../../src/people/household-store.ts';
import { PeopleStore } from '../../src/people/people-store.ts';
import { openTwice } from '../support/sqlite.ts';
import { peopleStoreContract } from './people-store.ts';

const open = (sql: SqlDatabase) => ({
  people: new PeopleStore(sql),
  household: new HouseholdStore(sql),
  keys: new KeyStore(sql),
});

peopleStoreContract('SQLite', () => openTwice(open));
