import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterConfig } from '../config/config.ts';
import { OutageFlag } from '../counters/memory/outage-flag.ts';
import { DatabasePool } from '../db/postgres/database-pool.ts';
import { ReplicaReads } from '../db/postgres/replica-reads.ts';
import type { ReplicaLoad } from '../http/operations/database-metrics.ts';
import type { EngineParts } from './backend.ts';

/** Short, since the primary can be asked instead of a replica that is slow to reach. */
const WAIT_TIMEOUT_MS = 1_000;

export interface Replica {
  readonly lists: Pick<DatabasePool, 'query'>;
  readonly load: ReplicaLoad;
  close(): Promise<void>;
}

/** The configured replica of a thread, which may be away; undefined where none is. */
export async function openReplica(
  { database, secrets }: ClusterConfig,
  { memory, thread, log }: EngineParts,
  { primary, connections }: { primary: DatabasePool; connections: number },
): Promise<Replica | undefined> {
  const url = secrets.databaseReplicaUrl;
  if (url === undefined) return undefined;
  const waitTimeoutMs = Math.min(WAIT_TIMEOUT_MS, database.waitTimeoutMs);
  const pool = new DatabasePool({ url, connections, limits: { ...database, waitTimeoutMs } });
  const outage = new OutageFlag({ memory: memory.replicaOutage });
  const reads = await ReplicaReads.open({
    primary,
    replica: pool,
    nowMs: () => performance.now(),
    sleep,
    onChange: (isUsed, reason) => {
      if (!outage.set(thread, !isUsed)) return;
      if (isUsed) log.info('the read replica is current again and answers');
      else log.warn({ reason }, 'the read replica is away or behind, the primary answers in its place');
    },
  });
  return {
    lists: reads,
    load: {
      get isAway() {
        return outage.isOutage;
      },
      get answeredByReplica() {
        return reads.answeredByReplica;
      },
      get answeredByPrimary() {
        return reads.answeredByPrimary;
      },
    },
    async close() {
      reads.close();
      await pool.end();
    },
  };
}
