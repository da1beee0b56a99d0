import type { Config } from '../config/config.ts';
import type {
  Engine,
  EngineParts,
  OpenDatabase,
  ScanEngine,
  SharedWork,
  SharedWorkParts,
} from './backend.ts';
import {
  openClusterDatabase,
  openClusterEngine,
  openClusterScanEngine,
  startClusterWork,
} from './cluster.ts';
import {
  openEmbeddedDatabase,
  openEmbeddedEngine,
  openEmbeddedScanEngine,
  startEmbeddedWork,
} from './embedded.ts';

// The configured mode decides which adapters stand behind the ports; hardly anything beyond this file asks which it is.

/**
 * For one command, or to prepare a service. Throws an `OperatorError` when the database cannot be used. `connections`
 * limits how many it opens in a cluster.
 */
export function openDatabase(config: Config, pool: { connections?: number } = {}): Promise<OpenDatabase> {
  return config.mode === 'cluster' ? openClusterDatabase(config, pool) : openEmbeddedDatabase(config);
}

/** Once in each process, before its threads open their engines. */
export function startSharedWork(config: Config, parts: SharedWorkParts): Promise<SharedWork> {
  return config.mode === 'cluster' ? startClusterWork(config, parts) : startEmbeddedWork(config, parts);
}

/** Once in each thread. */
export function openEngine(config: Config, parts: EngineParts): Promise<Engine> {
  return config.mode === 'cluster' ? openClusterEngine(config, parts) : openEmbeddedEngine(config, parts);
}

/** Once in each process that works on scans. */
export function openScanEngine(
  config: Config,
  parts: Pick<EngineParts, 'port' | 'log'>,
): Promise<ScanEngine> {
  return config.mode === 'cluster'
    ? openClusterScanEngine(config, parts)
    : openEmbeddedScanEngine(config, parts);
}

/** For a process that works on scans and answers nobody: it hears what others announce, where that can be heard. */
export function startListening(config: Config, parts: SharedWorkParts): Promise<Pick<SharedWork, 'close'>> {
  return config.mode === 'cluster' ? startClusterWork(config, parts) : Promise.resolve({ async close() {} });
}
