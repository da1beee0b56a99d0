import type { Logger } from 'pino';
import { loadCatalogueImage } from '../catalogue/catalogue-image.ts';
import type { Config } from '../config.ts';
import { FollowedCatalogue } from '../worker/followed-catalogue.ts';
import { openDatabase, startListening } from './modes.ts';
import { startScanWork } from './scan-work.ts';
import { createSharedMemory } from './service.ts';
import { ensureCatalogue, openShelf } from './shelf.ts';

export interface WorkerParts {
  readonly config: Config;
  /** Images that are looked at at one time. */
  readonly threads: number;
  readonly log: Logger;
  /** Hears why the process cannot go on. */
  readonly onFatal: (cause: Error) => void;
}

/** All of a process that works on scans and answers nobody. Close it. */
export async function startWorker({ config, threads, log, onFatal: onFailure }: WorkerParts) {
  const memory = createSharedMemory();
  await (await openDatabase(config)).close();
  await ensureCatalogue(config);
  await using opened = new AsyncDisposableStack();
  opened.adopt(await startListening(config, { memory, log, onFailure }), (listening) => listening.close());
  const followed = await FollowedCatalogue.open({
    shelf: openShelf(config),
    loadImage: loadCatalogueImage,
    log,
  });
  opened.defer(() => followed.close());
  const work = await startScanWork({ config, memory, threads, log, catalogue: () => followed.get() });
  opened.defer(() => work.close());
  const all = opened.move();
  return { close: () => all.disposeAsync() };
}
