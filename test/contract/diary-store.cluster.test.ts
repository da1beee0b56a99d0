import { describe } from 'vitest';
import { toSql } from '../../src/db/postgres/database.ts';
import { DiaryStore } from '../../src/diary/store/diary-store.ts';
import { CustomFoodStore } from '../../src/foods/custom/custom-food-store.ts';
import {
  hasPgbouncer,
  hasPostgres,
  openPatientPool,
  openPooledUrl,
  openPostgresUrl,
} from '../support/postgres.ts';
import { diaryStoreContract, MAX_NEW_ENTRIES } from './diary-store.ts';
import { measurementStoreContract } from './measurement-store.ts';
import { photoStoreContract } from './photo-store.ts';
import { recordStoreContract } from './record-store.ts';

async function openTwice(url: string) {
  const pools = [openPatientPool(url), openPatientPool(url)] as const;
  const [here, there] = [new DiaryStore(toSql(pools[0])), new DiaryStore(toSql(pools[1]))];
  return {
    here,
    there,
    limited: new DiaryStore({ ...toSql(pools[1]), maxNewEntries: MAX_NEW_ENTRIES }),
    foods: new CustomFoodStore(toSql(pools[0])),
    close: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

describe.skipIf(!hasPostgres)('where PostgreSQL is installed', () => {
  diaryStoreContract('cluster', async () => openTwice(await openPostgresUrl()));
  for (const contract of [measurementStoreContract, recordStoreContract, photoStoreContract])
    contract('cluster', async () => {
      const { here, close } = await openTwice(await openPostgresUrl());
      return { store: here, close };
    });
});

describe.skipIf(!hasPgbouncer)('where pgbouncer is installed', () => {
  diaryStoreContract('cluster through pgbouncer', async () => openTwice(await openPooledUrl()));
});
