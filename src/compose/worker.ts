import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { FollowedCatalogue } from '../worker/followed-catalogue.ts';
import { openDatabase, startListening } from './modes.ts';
import { startScanWork } from './scan-work.ts';
import type { ServedCatalogues } from './served-catalogues.ts';
import { createSharedMemory } from './service.ts';

export interface WorkerParts {
  readonly config: Config;
  /** Images that are looked at at one time. */
  readonly threads: number;
  /** Stays open: close it after the worker. */
  readonly catalogues: ServedCatalogues;
  readonly log: Logger;
  /** Hears why the process cannot go on. */
  readonly onFatal: (cause: Error) => void;
}

/** All of a process that works on scans and answers nobody. Close it. */
export async function startWorker({ config, threads, catalogues, log, onFatal: onFailure }: WorkerParts) {
  const { source, loadImage, following } = catalogues;
  const memory = createSharedMemory();
  await (await openDatabase(config)).close();
  await using opened = new AsyncDisposableStack();
  const onActivation = () => following?.wake();
  opened.adopt(await startListening(config, { memory, log, onFailure, onActivation }), (listening) =>
    listening.close(),
  );
  const followed = await FollowedCatalogue.open({ catalogues: source, loadImage, log });
  opened.defer(() => followed.close());
  const work = await startScanWork({ config, memory, threads, log, catalogue: () => followed.get() });
  opened.defer(() => work.close());
  const all = opened.move();
  return { close: () => all.disposeAsync() };
}
