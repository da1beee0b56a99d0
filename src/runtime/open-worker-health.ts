import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { openOwnAccess } from '../compose/access.ts';
import { openDisk } from '../compose/disk.ts';
import { openDatabase } from '../compose/open-backend.ts';
import type { Config } from '../config/config.ts';
import { DatabaseProbe } from '../http/operations/database-probe.ts';
import { WorkerHealth } from './worker-health.ts';

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
  const { authenticate, limiter, idempotentRequests, checkDatabase } = openOwnAccess(config, database);
  const probe = new DatabaseProbe({
    check: checkDatabase,
    nowMs: Date.now,
    sleep: (ms) => sleep(ms, undefined, { ref: false }),
  });
  const isDatabaseReachable = () => probe.isReachable();
  const health = new WorkerHealth({
    authenticate,
    limiter,
    idempotentRequests,
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
