import { describe } from 'vitest';
import { KeyStore } from '../../src/access/key-store.ts';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { HouseholdStore } from '../../src/people/household-store.ts';
import { PeopleStore } from '../../src/people/people-store.ts';
import { hasPgbouncer, hasPostgres, openPooledTwice, openPostgresTwice } from '../support/postgres.ts';
import { peopleStoreContract } from './people-store.ts';

const open = (sql: SqlDatabase) => ({
  people: new PeopleStore(sql),
  household: new HouseholdStore(sql),
  keys: new KeyStore(sql),
});

describe.skipIf(!hasPostgres)('where PostgreSQL is installed', () => {
  peopleStoreContract('PostgreSQL', () => openPostgresTwice(open));
});

describe.skipIf(!hasPgbouncer)('where pgbouncer is installed', () => {
  peopleStoreContract('PostgreSQL through pgbouncer', () => openPooledTwice(open));
});
