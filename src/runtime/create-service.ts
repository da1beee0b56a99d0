import { openDisk } from '../compose/disk.ts';
import { startSharedWork } from '../compose/open-backend.ts';
import { createSharedMemory } from '../compose/shared-memory.ts';
import type { ServedCatalogues } from './catalogue-source.ts';
import { startScanWork } from './scan-work.ts';
import { Service, type ServicePorts } from './service.ts';

export interface ServiceParts extends Pick<ServicePorts, 'config' | 'logFormat' | 'log' | 'onFatal'> {
  /** Stays open: close it after the service. */
  readonly catalogues: ServedCatalogues;
  /** Aborted when it is not to start any more; its `start` then fails where it would wait for another process. */
  readonly signal?: AbortSignal;
}

/** The configured service; not started yet. */
export function createService({ catalogues, signal, ...parts }: ServiceParts): Service {
  const { config, log, onFatal: onFailure } = parts;
  const { source, loadImage, following } = catalogues;
  const memory = createSharedMemory();
  return new Service({
    ...parts,
    catalogues: source,
    loadImage,
    following,
    disk: openDisk(config),
    startSharedWork: () =>
      startSharedWork(config, {
        memory,
        log,
        onFailure,
        onActivation: () => following?.wake(),
        ...(signal && { signal }),
      }),
    startScanWork: (more) => startScanWork({ config, memory, log, threads: config.scanWorkers, ...more }),
    memory,
    nowMs: Date.now,
  });
}
