import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createAccess } from '../compose/access.ts';
import { openDisk } from '../compose/disk.ts';
import { openDatabase } from '../compose/open-backend.ts';
import type { Config } from '../config/config.ts';
import { DatabaseProbe } from '../http/operations/database-probe.ts';
import { SqlReplayStore } from '../storage/idempotency-store.ts';
import { SqlKeyStore } from '../storage/key-store.ts';
import { createCounterMemory } from '../storage/memory/counter-memory.ts';
import { SharedCounters } from '../storage/memory/counters.ts';
import { SqlSigningKeyStore } from '../storage/signing-key-store.ts';
import { WorkerHealth } from './worker-health.ts';

/** Few, since hardly anybody asks: room for 512 counters. */
const COUNTER_BUCKETS = 64;
/** One for the health query and one for authenticating a key. */
const CONNECTIONS = 2;

/** Answers at the port that is configured for workers; undefined where there is none. Close it. */
export async function openWorkerHealth(
  config: Config,
  log: Logger,
): Promise<(WorkerHealth & AsyncDisposable) | undefined> {
  const { workerPort, host, trustedProxies } = config;
  if (workerPort === undefined) return undefined;
  await using opened = new AsyncDisposableStack();
  const database = opened.adopt(await openDatabase(config, { connections: CONNECTIONS }), (open) =>
    open.close(),
  );
  const memory = createCounterMemory({ randomBytes, buckets: COUNTER_BUCKETS });
  const counters = new SharedCounters({ memory });
  const keys = new SqlKeyStore(database);
  const { authenticate, limiter, ledger, checkDatabase } = createAccess(config, {
    keys,
    keyLookUps: keys,
    signingKeys: new SqlSigningKeyStore(database),
    replays: new SqlReplayStore({ ...database, createClaimId: randomUUID }),
    counters,
    ownCounters: counters,
    nowMs: database.nowMs,
  });
  const probe = new DatabaseProbe({
    check: checkDatabase,
    nowMs: Date.now,
    sleep: (ms) => sleep(ms, undefined, { ref: false }),
  });
  const isDatabaseReachable = () => probe.isReachable();
  const health = new WorkerHealth({
    authenticate,
    limiter,
    ledger,
    isDatabaseReachable,
    disk: openDisk(config),
    trustedProxies,
    log,
  });
  opened.defer(() => health.close());
  const port = await health.listen(host, workerPort);
  log.info({ host, port }, 'health and metrics are answered');
  const all = opened.move();
  return Object.assign(health, { [Symbol.asyncDispose]: () => all.disposeAsync() });
}
