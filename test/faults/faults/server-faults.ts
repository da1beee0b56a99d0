import { setTimeout } from 'node:timers/promises';
import { postgresControl } from '../../support/postgres-server.ts';
import type { LinkState } from '../cluster/cuttable-link.ts';
import type { StoreState } from '../cluster/faulty-store.ts';
import { WHILE_STORE_IS_SILENT, WHILE_STORE_REFUSES, WITHOUT_POSTGRES } from './allowances.ts';
import { lasting, type Scene } from './fault.ts';

/** Duration of an outage that does not end by itself. */
const AWAY_MS = 4_000;

export const SERVER_FAULTS = [
  lasting('PostgreSQL is restarted', WITHOUT_POSTGRES, stopPostgres('fast', 0)),
  lasting('PostgreSQL crashes and recovers', WITHOUT_POSTGRES, stopPostgres('immediate', 0)),
  lasting('PostgreSQL is away', WITHOUT_POSTGRES, stopPostgres('immediate', AWAY_MS)),
  lasting('Redis is cut off', [], setRedis('cut')),
  lasting('Redis falls silent', [], setRedis('silent')),
  lasting('the object store answers 503', WHILE_STORE_REFUSES, setStore('refusing')),
  lasting('the object store falls silent', WHILE_STORE_IS_SILENT, setStore('silent')),
];

function stopPostgres(mode: 'fast' | 'immediate', awayMs: number) {
  return {
    breakIt: ({ lab }: Scene) => postgresControl.halt(lab.servers.postgres, mode),
    async mend({ lab }: Scene) {
      await setTimeout(awayMs);
      await postgresControl.resume(lab.servers.postgres, { isDurable: true });
    },
  };
}

function setRedis(state: LinkState) {
  return {
    breakIt: ({ lab }: Scene) => lab.servers.redis.set(state),
    async mend({ lab }: Scene) {
      await setTimeout(AWAY_MS);
      lab.servers.redis.set('open');
    },
  };
}

function setStore(state: StoreState) {
  return {
    breakIt: ({ lab }: Scene) => lab.servers.store.set(state),
    async mend({ lab }: Scene) {
      await setTimeout(AWAY_MS);
      lab.servers.store.set('well');
    },
  };
}
