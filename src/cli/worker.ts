import { Command } from 'commander';
import { isDataFolder, prepareDataFolder, waitForDataFolder } from '../app/data-folder.ts';
import { checkMachine, readMachineLimits } from '../app/installation/machine-limits.ts';
import { warnAtStart } from '../app/installation/warn-at-start.ts';
import { openActiveCatalogue } from '../app/open-active-catalogue.ts';
import { createLogger, standardOutput } from '../app/processes/logger.ts';
import { openWorkerHealth } from '../app/processes/worker-health.ts';
import { startWorker } from '../app/processes/worker-process.ts';
import type { Config } from '../config/config.ts';
import { MAX_SCAN_WORKERS } from '../config/schemas.ts';
import { lowerProcessPriority } from '../threads/parent.ts';
import { commandConfig } from './terminal/command-config.ts';
import { stopRequested, unlessStopped } from './terminal/stop-signals.ts';
import { numberOption, type Terminal } from './terminal/terminal.ts';

interface WorkerOptions {
  readonly concurrency?: number;
}

/** `larder worker`: analyses scans until it is stopped. */
export function workerCommand(terminal: Terminal): Command {
  return new Command('worker')
    .description(
      'Analyse scans, beside a service with the same data folder or as part of a cluster. Run as many workers as you like. ' +
        'If one stops or crashes, another takes over its jobs.',
    )
    .option(
      '--concurrency <n>',
      'number of images to analyse at a time; default: LARDER_SCAN_WORKERS',
      numberOption('--concurrency', 1, MAX_SCAN_WORKERS),
    )
    .addHelpText(
      'after',
      `
Examples:
  larder worker
  larder worker --concurrency 4
  LARDER_SCAN_WORKERS=0 larder serve & larder worker`,
    )
    .action((options: WorkerOptions) => work(terminal, options));
}

async function work(terminal: Terminal, { concurrency }: WorkerOptions): Promise<void> {
  const { config } = commandConfig(terminal);
  const isTerminal = (terminal.out as NodeJS.WriteStream).isTTY === true;
  const destination = standardOutput(isTerminal ? 'plain' : 'json');
  const log = createLogger({ level: config.logLevel, destination });
  const { promise: broken, resolve: onFatal } = Promise.withResolvers<Error>();
  const stop = stopRequested();
  if (config.mode === 'embedded') {
    const { dataDir } = config;
    if (!isDataFolder(config)) log.info({ dataDir }, 'waiting for a service to begin the data folder');
    await waitForDataFolder(config, stop.signal);
  }
  await prepareDataFolder(config);
  // It has one thread, and analyses photos whatever the setting of a service beside it.
  const needs = { ...config, apiThreads: 1, scanWorkers: concurrency ?? threadsOf(config) };
  checkMachine(needs, await readMachineLimits(config), log);
  await warnAtStart(config, log);
  // The health port opens first, so that probes see a starting worker while a catalogue is downloaded.
  await using health = await openWorkerHealth(config, log);
  await using active = await unlessStopped(stop, openActiveCatalogue(config, { log, signal: stop.signal }));
  if (active === undefined) return;
  // A service on the same machine has priority.
  lowerProcessPriority();

  const threads = concurrency ?? threadsOf(config);
  const worker = await startWorker({ config, threads, active, health, log, onFatal });
  log.info({ threads }, 'working on scans');
  const end = await Promise.race([stop.made, broken]);
  if (end instanceof Error) {
    log.fatal({ err: end }, 'the worker cannot continue');
    process.exitCode = 1;
  }
  log.info('stopping');
  await worker.close();
  log.info('stopped');
}

/**
 * Returns at least one thread: a service with the same settings may leave all images to workers (0), but a worker must
 * not.
 */
function threadsOf({ scanWorkers }: Config): number {
  return Math.max(1, scanWorkers);
}
