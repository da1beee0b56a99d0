import { describe } from 'vitest';
import { toDatabase, toSql } from '../../src/storage/postgres/database.ts';
import { PostgresDiaryStore } from '../../src/storage/postgres/diary-store.ts';
import { SqlTenantFoodStore } from '../../src/storage/tenant-food-store.ts';
import {
  hasPgbouncer,
  openPatientPool,
  openPooledUrl,
  openPostgresUrl,
  postgresPrograms,
} from '../support/postgres.ts';
import { diaryStoreContract } from './diary-store.ts';

async function openTwice(url: string) {
  const pools = [openPatientPool(url), openPatientPool(url)] as const;
  const [here, there] = [
    new PostgresDiaryStore({ pool: pools[0] }),
    new PostgresDiaryStore({ pool: pools[1] }),
  ];
  return {
    here,
    there,
    foods: new SqlTenantFoodStore(toSql(toDatabase(pools[0]))),
    close: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

describe.skipIf(postgresPrograms === undefined)('where PostgreSQL is installed', () => {
  diaryStoreContract('cluster', async () => openTwice(await openPostgresUrl()));
});

describe.skipIf(!hasPgbouncer)('where pgbouncer is installed', () => {
  diaryStoreContract('cluster through pgbouncer', async () => openTwice(await openPooledUrl()));
});
