import { describe } from 'vitest';
import { ChangeLog } from '../../src/changes/change-log.ts';
import { toSql } from '../../src/db/postgres/database.ts';
import { DiaryStore } from '../../src/diary/store/diary-store.ts';
import {
  hasPgbouncer,
  hasPostgres,
  openPatientPool,
  openPooledUrl,
  openPostgresUrl,
} from '../support/postgres.ts';
import { changeLogContract } from './change-log.ts';

async function openTwice(url: string) {
  const pools = [openPatientPool(url), openPatientPool(url)] as const;
  const [here, there] = pools.map((pool) => {
    const sql = toSql(pool);
    return { ...sql, diary: new DiaryStore(sql), log: new ChangeLog(sql) };
  });
  return {
    here: here!,
    there: there!,
    close: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

describe.skipIf(!hasPostgres)('where PostgreSQL is installed', () => {
  changeLogContract('cluster', async () => openTwice(await openPostgresUrl()));
});

describe.skipIf(!hasPgbouncer)('where pgbouncer is installed', () => {
  changeLogContract('cluster through pgbouncer', async () => openTwice(await openPooledUrl()));
});
