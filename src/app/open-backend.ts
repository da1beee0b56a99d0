import type { Config } from '../config/config.ts';
import type {
  DatabaseOptions,
  Engine,
  EngineOptions,
  OpenDatabase,
  ProcessWork,
  ProcessWorkOptions,
  ScanEngine,
} from './backend.ts';

// The configured mode determines the adapters of the ports; little code beyond this file depends on it. Only
// those adapters are loaded, because the libraries of the other mode would take memory in each thread.

const embedded = () => import('./embedded.ts');
const cluster = () => import('./cluster.ts');

/**
 * Opens the database for one command, or to prepare a service. Throws an `OperatorError` if it cannot be
 * used.
 */
export async function openDatabase(config: Config, options: DatabaseOptions = {}): Promise<OpenDatabase> {
  return config.mode === 'cluster'
    ? (await cluster()).openClusterDatabase(config, options)
    : (await embedded()).openEmbeddedDatabase(config, options);
}

/** Call it once in each process, before its threads open their engines. */
export async function startSharedWork(config: Config, parts: ProcessWorkOptions): Promise<ProcessWork> {
  return config.mode === 'cluster'
    ? (await cluster()).startClusterWork(config, parts)
    : (await embedded()).startEmbeddedWork(config, parts);
}

/** Call it once in each thread. */
export async function openEngine(config: Config, parts: EngineOptions): Promise<Engine> {
  return config.mode === 'cluster'
    ? (await cluster()).openClusterEngine(config, parts)
    : (await embedded()).openEmbeddedEngine(config, parts);
}

/** Call it once in each process that works on scans. */
export async function openScanEngine(
  config: Config,
  parts: Pick<EngineOptions, 'memory' | 'port' | 'log'>,
): Promise<ScanEngine> {
  return config.mode === 'cluster'
    ? (await cluster()).openClusterScanEngine(config, parts)
    : (await embedded()).openEmbeddedScanEngine(config, parts);
}

/** Receives signals of other processes in a process that only analyses scans, if the mode has such signals. */
export async function startListening(
  config: Config,
  parts: ProcessWorkOptions,
): Promise<Pick<ProcessWork, 'close'>> {
  return config.mode === 'cluster' ? (await cluster()).startClusterWork(config, parts) : { async close() {} };
}
