import { randomBytes } from 'node:crypto';
import { createCounterMemory } from '../adapters/embedded/counter-memory.ts';
import { loadCatalogueImage } from '../catalogue/catalogue-image.ts';
import { RevisionCell } from '../catalogue/live/revision-cell.ts';
import { Service, type ServicePorts } from '../http/service.ts';
import type { SharedMemory } from '../http/threads/protocol.ts';
import { OutageCell } from '../limits/outage-cell.ts';
import { startSharedWork } from './modes.ts';
import { startScanWork } from './scan-work.ts';
import { openShelf } from './shelf.ts';

/** Made once for each process and handed to every API thread. */
export function createSharedMemory(): SharedMemory {
  return {
    limits: createCounterMemory({ randomBytes }),
    liveFoods: RevisionCell.createMemory(),
    limitsOutage: OutageCell.createMemory(),
  };
}

/** The configured service; not started yet. */
export function createService(
  parts: Pick<ServicePorts, 'config' | 'logFormat' | 'log' | 'onFatal'>,
): Service {
  const { config, log, onFatal: onFailure } = parts;
  const memory = createSharedMemory();
  return new Service({
    ...parts,
    shelf: openShelf(config),
    loadImage: loadCatalogueImage,
    startSharedWork: () => startSharedWork(config, { memory, log, onFailure }),
    startScanWork: (more) => startScanWork({ config, memory, log, threads: config.scanWorkers, ...more }),
    memory,
    nowMs: Date.now,
  });
}
