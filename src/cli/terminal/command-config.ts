import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { databaseFile, isDataFolder } from '../../app/data-folder.ts';
import { type Config, readConfig } from '../../config/config.ts';
import { readSettingsFile, SETTINGS_FILE } from '../../config/settings-file.ts';
import { type Terminal, tell } from './terminal.ts';

const INSTALLATION = resolve(import.meta.dirname, '../../..');
/** The data folder of the systemd unit in `deploy/`. */
const SYSTEM_FOLDER = '/var/lib/larder';

/** The configuration of a command. */
export interface CommandConfig {
  readonly config: Config;
  /** The given settings; the environment takes precedence over the file. */
  readonly env: Terminal['env'];
  /** The settings that came from `larder.env`. */
  readonly fromFile: readonly string[];
  /** Settings whose values in the environment differ from `larder.env`. */
  readonly overridden: readonly string[];
}

/**
 * Reads the configuration of a command from the environment and from `larder.env` of the data folder, and
 * reports on standard error which it used. Without LARDER_DATA_DIR it looks for the only data folder here:
 * below the working directory, that directory itself, below the installation, and that of systemd. Throws an
 * `OperatorError` if there are several.
 */
export function commandConfig(terminal: Terminal): CommandConfig {
  const isGiven = Boolean(terminal.env['LARDER_DATA_DIR']?.trim());
  const folder = isGiven ? undefined : onlyDataFolder();
  return configIn(terminal, folder ?? './data');
}

/** Like `commandConfig`, for the command that creates a data folder: it uses ./data, whatever other folders exist. */
export function serviceConfig(terminal: Terminal): CommandConfig {
  return configIn(terminal, './data');
}

function configIn(terminal: Terminal, defaultFolder: string): CommandConfig {
  const given = terminal.env['LARDER_DATA_DIR']?.trim();
  const dataDir = resolve(given || defaultFolder);
  const file = readSettingsFile(dataDir);
  const config = readConfig({ ...terminal.env, LARDER_DATA_DIR: dataDir }, file);
  const inFile = Object.entries(file?.values ?? {});
  const inEnv = (name: string) => terminal.env[name]?.trim() || undefined;
  const fromFile = inFile.map(([name]) => name).filter((name) => inEnv(name) === undefined);
  const overridden = inFile.filter(([name, value]) => (inEnv(name) ?? value) !== value).map(([name]) => name);
  const env = { ...terminal.env, ...Object.fromEntries(fromFile.map((name) => [name, file?.values[name]])) };
  if (!given || fromFile.length > 0) {
    const settings = fromFile.length === 0 ? '' : ` with ${fromFile.join(', ')} of its ${SETTINGS_FILE}`;
    tell(terminal, `larder: using the data folder ${dataDir}${settings}.\n`);
  }
  return { config, env, fromFile, overridden };
}

/** Undefined if no folder contains data. */
function onlyDataFolder(): string | undefined {
  const below = [resolve('data'), join(INSTALLATION, 'data'), SYSTEM_FOLDER].filter(mayBeDataFolder);
  // Other programs have folders named `catalogues`, too, so the working directory itself needs a database.
  const here = existsSync(databaseFile({ dataDir: resolve() })) ? [resolve()] : [];
  const found = new Map([...below, ...here].map((dataDir) => [realPath(dataDir), dataDir]));
  if (found.size < 2) return found.values().next().value;
  const [first] = found.values();
  throw new OperatorError(
    `There are several data folders: ${[...found.values()].join(' and ')}. Say which one, such as LARDER_DATA_DIR=${first}.`,
  );
}

/** A folder that this user may not read counts, so that the command names it in its error. */
function mayBeDataFolder(dataDir: string): boolean {
  try {
    return isDataFolder({ dataDir });
  } catch {
    return true;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
