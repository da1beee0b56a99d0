import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Authenticator } from '../access/authenticator.ts';
import { createFirstKey } from '../access/first-key.ts';
import { type IssuedKey, KeyIssuer } from '../access/key-issuer.ts';
import type { KeyStore } from '../access/key-store.ts';
import { firstKeyFile, readFirstKey } from '../adapters/embedded/first-key-file.ts';
import { SqlKeyStore } from '../adapters/sql/key-store.ts';
import type { SqlDatabase } from '../adapters/sql/sql-database.ts';
import type { Config } from '../config.ts';

export function openKeyStore(database: SqlDatabase): KeyStore {
  return new SqlKeyStore(database);
}

export function createAuthenticator(store: KeyStore, nowMs = Date.now): Authenticator {
  // Whoever is waited for while the process ends is not worth waiting for.
  const sleep = (ms: number) => setTimeout(ms, undefined, { ref: false });
  return new Authenticator({ store, nowMs, sleep });
}

/** `nowMs` is the clock by which the authenticators of all nodes go: what it revokes is refused from then on. */
export function createKeyIssuer(store: KeyStore, nowMs = Date.now): KeyIssuer {
  return new KeyIssuer({ store, nowMs, randomBytes });
}

/** The first key, when this call created it; see `createFirstKey`. */
export function ensureFirstKey(
  { dataDir }: Pick<Config, 'dataDir'>,
  store: KeyStore,
): Promise<IssuedKey | undefined> {
  return createFirstKey({ store, file: firstKeyFile(dataDir), nowMs: Date.now, randomBytes });
}

/** The key that was left for whoever set the service up, while it is there to be read. */
export function findFirstKey({ dataDir }: Pick<Config, 'dataDir'>): Promise<string | undefined> {
  return readFirstKey(dataDir);
}
