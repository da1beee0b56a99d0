import { describe } from 'vitest';
import { openPool } from '../../src/adapters/cluster/database.ts';
import { PostgresDiaryStore } from '../../src/adapters/cluster/diary-store.ts';
import { openPostgresUrl, postgresPrograms } from '../support/postgres.ts';
import { describeDiaryStore } from './diary-store-suite.ts';

describe.skipIf(postgresPrograms === undefined)('where PostgreSQL is installed', () => {
  describeDiaryStore('cluster', async () => {
    const url = await openPostgresUrl();
    const pools = [openPool({ url }), openPool({ url })] as const;
    const [here, there] = [
      new PostgresDiaryStore({ pool: pools[0] }),
      new PostgresDiaryStore({ pool: pools[1] }),
    ];
    return {
      here,
      there,
      close: async () => {
        await Promise.all(pools.map((pool) => pool.end()));
      },
    };
  });
});
