import { OperatorError, UsageError } from '@larder/core/errors.ts';
import { keyIdIn } from '../../access/key-format.ts';
import { findFirstKey, firstKeyPath } from '../../app/keys.ts';
import type { Config } from '../../config/config.ts';
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
  /** Whether it is the service that the settings describe, because no URL was given. */
  readonly isOwn: boolean;
}

/**
 * Returns the given service, by default the one that the settings describe. The key is the given one, else
 * `LARDER_KEY`, else, without a URL, the first key of the data folder. That key has all rights on this machine's
 * service, so it is never sent to another one.
 */
export async function serviceAccess(
  { env }: Terminal,
  config: Config,
  given: { readonly url?: string | undefined; readonly key?: string | undefined },
): Promise<ServiceAccess> {
  const url = given.url === undefined ? addressOf(config) : parseAddress(given.url);
  const isOwn = given.url === undefined;
  const stated = given.key ?? env['LARDER_KEY']?.trim();
  const isKeyGiven = Boolean(stated);
  const key = stated || (isOwn ? await findFirstKey(config) : undefined);
  const source = isKeyGiven ? (given.key === undefined ? 'LARDER_KEY' : '--key') : firstKeyPath(config);
  return { url, key, keyName: key === undefined ? 'no key' : nameOfKey(key, source), isKeyGiven, isOwn };
}

function nameOfKey(key: string, source: string): string {
  const id = keyIdIn(key);
  return id === undefined
    ? `the key of ${source}, which is not in the form of a whole API key (lrd_…)`
    : `the API key ${id} of ${source}`;
}

/** The URL of the configured service; one that listens on all addresses is reached at localhost. */
function addressOf({ host, port, publicUrl }: Config): string {
  if (publicUrl !== undefined) return publicUrl;
  const reachable = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

function parseAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return url.href.replace(/\/$/, '');
  }
  throw new UsageError(`${JSON.stringify(text)} is no address such as https://food.example.org.`);
}

/** The error for a `fetch` without a response. */
export function unreachable(address: string, error: unknown): OperatorError {
  const { cause, name } = error as Error;
  const reason = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : undefined;
  const why = reason ?? (name === 'TimeoutError' ? 'it took too long' : undefined);
  return new OperatorError(
    `${new URL(address).origin} does not answer${why === undefined ? '' : ` (${why})`}. Start the service with ` +
      '`larder serve`, or give the address where it runs.',
    { cause: error },
  );
}
