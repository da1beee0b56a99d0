import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { OperatorError, UsageError } from '@larder/core/errors.ts';
import { keyIdIn } from '../../access/key-format.ts';
import { readTlsFiles } from '../../app/installation/tls-files.ts';
import { findFirstKey, firstKeyPath } from '../../app/keys.ts';
import { type Config, readConfig } from '../../config/config.ts';
import { ALL_ADDRESSES, SETTINGS_FILE } from '../../config/settings-file.ts';
import { type CommandConfig, commandConfig } from './command-config.ts';
import type { Terminal } from './terminal.ts';

/** The service that a command calls. */
export interface ServiceAccess {
  /** The URL without a trailing slash. */
  readonly url: string;
  /** Undefined if no key is known. */
  readonly key: string | undefined;
  /** The name of the key in messages: its id and origin, never its secret. */
  readonly keyName: string;
  /** Whether the key was given, instead of found in the data folder. */
  readonly isKeyGiven: boolean;
  /** Whether it is the service of the settings, because no URL was given. */
  readonly isOwn: boolean;
  readonly config: Config;
  /** Says in messages where the URL is from. */
  readonly urlSource: string;
}

/**
 * Returns the given service, by default that of the settings. The key is the given one, else `LARDER_KEY`,
 * else, without a URL, the first key of the data folder. That key has all rights on this machine's service,
 * so it is never sent to another one.
 */
export async function serviceAccess(
  terminal: Terminal,
  given: { readonly url?: string | undefined; readonly key?: string | undefined },
): Promise<ServiceAccess> {
  const isOwn = given.url === undefined;
  // Another machine's service needs no data folder.
  const { config, env, fromFile }: Omit<CommandConfig, 'overridden'> = isOwn
    ? commandConfig(terminal)
    : { config: readConfig(terminal.env), env: terminal.env, fromFile: [] };
  const url = given.url === undefined ? addressOf(config) : parseAddress(given.url);
  if (isOwn) trustCertificate(config);
  const stated = given.key ?? env['LARDER_KEY']?.trim();
  const isKeyGiven = Boolean(stated);
  const key = stated || (isOwn ? await findFirstKey(config) : undefined);
  const source = isKeyGiven ? (given.key === undefined ? 'LARDER_KEY' : '--key') : firstKeyPath(config);
  const keyName = key === undefined ? 'no key' : nameOfKey(key, source);
  const urlSource = isOwn ? sourceOfAddress(config, env, fromFile) : 'the command line';
  return { url, key, keyName, isKeyGiven, isOwn, config, urlSource };
}

const ADDRESS_SETTINGS = ['LARDER_PUBLIC_URL', 'LARDER_HOST', 'LARDER_PORT'];

function sourceOfAddress({ dataDir }: Config, env: Terminal['env'], fromFile: readonly string[]): string {
  const given = ADDRESS_SETTINGS.filter((name) => env[name]?.trim());
  if (given.length === 0) return 'the defaults';
  const file = join(dataDir, SETTINGS_FILE);
  return given
    .map((name) => `${name} of ${fromFile.includes(name) ? file : 'the environment'}`)
    .join(' and ');
}

function nameOfKey(key: string, source: string): string {
  const id = keyIdIn(key);
  return id === undefined
    ? `the key of ${source}, which is not in the form of a whole API key (lrd_…)`
    : `the API key ${id} of ${source}`;
}

/** Its certificate may be self-signed. */
function trustCertificate(config: Config): void {
  const files = readTlsFiles(config);
  if (files !== undefined) setDefaultCACertificates([...getCACertificates(), files.cert.toString()]);
}

/** The URL of the configured service; one that listens on all addresses is reached at localhost. */
function addressOf({ host, port, publicUrl, tls }: Config): string {
  if (publicUrl !== undefined) return publicUrl;
  const reachable = ALL_ADDRESSES.includes(host) ? 'localhost' : host;
  return `${tls === undefined ? 'http' : 'https'}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

function parseAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return url.href.replace(/\/$/, '');
  }
  throw new UsageError(`${JSON.stringify(text)} is not an address such as https://food.example.org.`);
}

/** The error for a `fetch` without a response; `source` says where the address is from. */
export function unreachable(address: string, source: string, error: unknown): OperatorError {
  const { cause, name } = error as Error;
  const reason = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : undefined;
  const why = reason ?? (name === 'TimeoutError' ? 'it took too long' : undefined);
  return new OperatorError(
    `${new URL(address).origin} does not answer${why === undefined ? '' : ` (${why})`}. The address is from ${source}. ` +
      'Start the service with `larder serve`, or give the address where it runs.',
    { cause: error },
  );
}
