import { join } from 'node:path';
import { Command } from 'commander';
import type { Logger } from 'pino';
import { prepareDataFolder } from '../app/data-folder.ts';
import { checkMachine, readMachineLimits } from '../app/installation/machine-limits.ts';
import { readTlsFiles } from '../app/installation/tls-files.ts';
import { warnAtStart } from '../app/installation/warn-at-start.ts';
import { ensureFirstKey, findFirstKey, openKeyStore } from '../app/keys.ts';
import { openActiveCatalogue } from '../app/open-active-catalogue.ts';
import { openDatabase } from '../app/open-backend.ts';
import { ensureOwnerLink } from '../app/people.ts';
import { createLogger, standardOutput } from '../app/processes/logger.ts';
import { Service } from '../app/processes/service.ts';
import type { Config } from '../config/config.ts';
import { newSettingsFile, SETTINGS_FILE } from '../config/settings-file.ts';
import { ensurePrivateFile } from '../files/private-file.ts';
import { assertPortFree } from '../http/server/connection/listening.ts';
import { greeting } from './greeting.ts';
import { serviceConfig } from './terminal/command-config.ts';
import { stopRequested, unlessStopped } from './terminal/stop-signals.ts';
import { type Terminal, tell } from './terminal/terminal.ts';

/** `larder serve`: runs the service until it is stopped. */
export function serveCommand(terminal: Terminal): Command {
  return new Command('serve')
    .description(
      'Run the service. Settings are environment variables or lines of larder.env in the data folder, see docs/configuration.md.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  larder serve\n  LARDER_PORT=9000 LARDER_DATA_DIR=/var/lib/larder larder serve',
    )
    .action(() => serve(terminal));
}

async function serve(terminal: Terminal): Promise<void> {
  const { config, overridden } = serviceConfig(terminal);
  const logFormat = isTerminal(terminal.out) ? 'plain' : 'json';
  const log = createLogger({ level: config.logLevel, destination: standardOutput(logFormat) });
  const { promise: broken, resolve: onFatal } = Promise.withResolvers<Error>();

  readTlsFiles(config);
  await prepareDataFolder(config);
  checkMachine(config, await readMachineLimits(config), log);
  await warnAtStart(config, log);
  if (overridden.length > 0)
    log.warn(
      { settings: overridden },
      `the environment overrides ${SETTINGS_FILE}; commands with another environment follow the file`,
    );
  // The port is checked before the first key is created: the key is shown only once, which must not happen in a failing
  // start.
  await assertPortFree(config.host, config.port);
  const { firstKey, ownerLink } = await createAtFirstStart(config, log);
  if (firstKey !== undefined)
    await ensurePrivateFile(join(config.dataDir, SETTINGS_FILE), newSettingsFile(config));
  const stop = stopRequested();
  await using active = await unlessStopped(
    stop,
    openActiveCatalogue(config, { log, signal: stop.signal, canBeginWithout: true }),
  );
  if (active === undefined) return;
  const service = new Service({ config, active, logFormat, log, onFatal, signal: stop.signal });
  const address = await unlessStopped(stop, service.start());
  if (address === undefined) return;
  // The greeting goes to stderr, so that logs on stdout stay parseable.
  const words = greeting({
    url: address.url,
    foods: address.catalogue?.foods,
    keyFile: join(config.dataDir, 'first-key.txt'),
    firstKey: firstKey?.text,
    ownerLink,
    isKeyKept: (await findFirstKey(config)) !== undefined,
    isTerminal: isTerminal(terminal.err),
  });
  tell(terminal, words);

  const end = await Promise.race([stop.made, broken]);
  if (end instanceof Error) {
    log.fatal({ err: end }, 'the service cannot continue');
    process.exitCode = 1;
  }
  await service.stop();
}

async function createAtFirstStart(config: Config, log: Logger) {
  const database = await openDatabase(config, { log });
  try {
    const firstKey = await ensureFirstKey(config, openKeyStore(database));
    return { firstKey, ownerLink: await ensureOwnerLink(config, database) };
  } finally {
    await database.close();
  }
}

function isTerminal(stream: NodeJS.WritableStream): boolean {
  return (stream as NodeJS.WriteStream).isTTY === true;
}
