import type { Logger } from 'pino';
import { openDatabase, startListening } from '../compose/open-backend.ts';
import { createSharedMemory } from '../compose/shared-memory.ts';
import type { Config } from '../config/config.ts';
import type { ServedCatalogues } from './catalogue-source.ts';
import { startScanWork } from './scan-work.ts';
import { FollowedCatalogue } from './served-catalogue.ts';
import type { WorkerHealth } from './worker-health.ts';

export interface WorkerParts {
  readonly config: Config;
  /** Images that are looked at at one time. */
  readonly threads: number;
  /** Stays open: close it after the worker. */
  readonly catalogues: ServedCatalogues;
  /** Where it is told how the process fares; stays open, too. */
  readonly health: WorkerHealth | undefined;
  readonly log: Logger;
  /** Hears why the process cannot go on. */
  readonly onFatal: (cause: Error) => void;
}

/** All of a process that works on scans and answers nobody. Close it. */
export async function startWorker({
  config,
  threads,
  catalogues,
  health,
  log,
  onFatal: onFailure,
}: WorkerParts) {
  const { source, loadImage, following } = catalogues;
  const memory = createSharedMemory();
  await (await openDatabase(config)).close();
  await using opened = new AsyncDisposableStack();
  const onActivation = () => following?.wake();
  opened.adopt(await startListening(config, { memory, log, onFailure, onActivation }), (listening) =>
    listening.close(),
  );
  if (following !== undefined) health?.watchFollowing(following);
  const followed = await FollowedCatalogue.open({
    catalogues: source,
    loadImage,
    log,
    onLoaded: (name, info) => health?.catalogueLoaded(name, info),
    onRefused: () => health?.catalogueRefused(),
  });
  opened.defer(() => followed.close());
  const work = await startScanWork({
    config,
    memory,
    threads,
    log,
    catalogue: () => followed.get(),
    ...(health !== undefined && { metrics: health.metrics.scans }),
  });
  opened.defer(() => work.close());
  health?.ready(() => work.depth());
  const all = opened.move();
  return {
    close() {
      health?.stopping();
      return all.disposeAsync();
    },
  };
}
