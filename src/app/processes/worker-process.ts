import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { ActiveCatalogue } from '../../foods/published/active-catalogue.ts';
import { collectOldGarbageEarly, IdleMemory } from '../../threads/idle-memory.ts';
import { openDatabase, startListening } from '../open-backend.ts';
import { createSharedMemory } from '../shared-memory.ts';
import { startQueuedWork } from './scan-work.ts';
import { ServedCatalogue } from './served-catalogue.ts';
import type { WorkerHealth } from './worker-health.ts';

export interface WorkerParts {
  readonly config: Config;
  /** Number of images that are analysed in parallel. */
  readonly threads: number;
  /** Not closed by the worker: close it afterwards. */
  readonly active: ActiveCatalogue;
  /** Reports the state of the worker; it is not closed by the worker either. */
  readonly health: WorkerHealth | undefined;
  readonly log: Logger;
  /** Called when the process cannot continue. */
  readonly onFatal: (cause: Error) => void;
}

/** All parts of a process that works on scans and answers no requests. Close it when done. */
export async function startWorker({ config, threads, active, health, log, onFatal }: WorkerParts) {
  collectOldGarbageEarly();
  const memory = createSharedMemory();
  await (await openDatabase(config, { log })).close();
  await using opened = new AsyncDisposableStack();
  const onActivation = () => active.node?.wake();
  const parts = { memory, log, onFailure: onFatal, onActivation };
  opened.adopt(await startListening(config, parts), (listening) => listening.close());
  const catalogue = new ServedCatalogue({ active, metrics: health?.metrics, log });
  await catalogue.begin();
  catalogue.follow();
  opened.defer(() => catalogue.close());
  const idleMemory = new IdleMemory();
  idleMemory.worked();
  const work = await startQueuedWork({
    config,
    memory,
    threads,
    log,
    catalogue,
    idleMemory,
    metrics: health?.metrics,
  });
  opened.defer(() => work.close());
  let phase: 'ready' | 'stopping' = 'ready';
  health?.follow({ status: () => ({ phase, ...catalogue.status }), work });
  const all = opened.move();
  return {
    close() {
      phase = 'stopping';
      return all.disposeAsync();
    },
  };
}
