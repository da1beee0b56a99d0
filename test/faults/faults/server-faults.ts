import { setTimeout } from 'node:timers/promises';
import { postgresControl } from '../../support/postgres-server.ts';
import { WHILE_STORE_IS_SILENT, WHILE_STORE_REFUSES, WITHOUT_POSTGRES } from './allowances.ts';
import { type Fault, lasting, type Scene } from './fault.ts';

/** How long a part is away that does not come back by itself. */
const AWAY_MS = 4_000;
const DURABLE = { isDurable: true };

/** What is not told of lasts no longer than it takes. */
export const SERVER_FAULTS: readonly Fault[] = [
  lasting('PostgreSQL is restarted', WITHOUT_POSTGRES, async ({ lab }) => {
    await postgresControl.halt(lab.servers.postgres, 'fast');
    await postgresControl.resume(lab.servers.postgres, DURABLE);
  }),
  lasting('PostgreSQL crashes and recovers', WITHOUT_POSTGRES, async ({ lab }) => {
    await postgresControl.halt(lab.servers.postgres, 'immediate');
    await postgresControl.resume(lab.servers.postgres, DURABLE);
  }),
  lasting('PostgreSQL is away', WITHOUT_POSTGRES, async ({ lab }) => {
    await postgresControl.halt(lab.servers.postgres, 'immediate');
    await setTimeout(AWAY_MS);
    await postgresControl.resume(lab.servers.postgres, DURABLE);
  }),
  lasting('Redis is cut off', [], (scene) => withRedis('cut', scene)),
  lasting('Redis falls silent', [], (scene) => withRedis('silent', scene)),
  lasting('the object store answers 503', WHILE_STORE_REFUSES, (scene) => withStore('refusing', scene)),
  lasting('the object store falls silent', WHILE_STORE_IS_SILENT, (scene) => withStore('silent', scene)),
];

async function withRedis(state: 'cut' | 'silent', { lab }: Scene): Promise<void> {
  lab.servers.redis.set(state);
  await setTimeout(AWAY_MS);
  lab.servers.redis.set('open');
}

async function withStore(state: 'refusing' | 'silent', { lab }: Scene): Promise<void> {
  lab.servers.store.set(state);
  await setTimeout(AWAY_MS);
  lab.servers.store.set('well');
}
