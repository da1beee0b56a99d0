import { randomBytes } from 'node:crypto';
import { createFirstKey, firstKeyFile, readFirstKey } from '../access/first-key.ts';
import { KeyAuthenticator } from '../access/key-authenticator.ts';
import { type IssuedKey, KeyIssuer } from '../access/key-issuer.ts';
import { KeyLookUps } from '../access/key-look-ups.ts';
import { KeyStore } from '../access/key-store.ts';
import type { SqlDatabase } from '../db/sql-database.ts';
import type { PeopleStore } from '../people/people-store.ts';
import type { DataFolder } from './data-folder.ts';

export function openKeyStore(database: SqlDatabase): KeyStore {
  return new KeyStore(database);
}

/** `marks` stores when keys were used, `people` what the maker of a key may do. */
export function createAuthenticator(
  store: Pick<KeyStore, 'findAll'>,
  nowMs = Date.now,
  { marks, people }: { readonly marks?: Pick<KeyStore, 'markUsed'>; readonly people?: PeopleStore } = {},
): KeyAuthenticator {
  const markUsed = marks && ((...use: Parameters<KeyStore['markUsed']>) => marks.markUsed(...use));
  return new KeyAuthenticator({
    store: new KeyLookUps({ store }),
    nowMs,
    ...(markUsed && { markUsed }),
    ...(people && { sharesWith: ({ tenant, createdBy }) => people.sharesWithMaker(tenant, createdBy) }),
  });
}

/** `nowMs` is the clock that the authenticators of all nodes share, so that a revoked key is rejected from then on. */
export function createKeyIssuer(store: KeyStore, nowMs = Date.now): KeyIssuer {
  return new KeyIssuer({ store, nowMs, randomBytes });
}

/** The first key, if this call created it; see `createFirstKey`. */
export function ensureFirstKey({ dataDir }: DataFolder, store: KeyStore): Promise<IssuedKey | undefined> {
  return createFirstKey({ store, file: firstKeyFile(dataDir), nowMs: Date.now, randomBytes });
}

/** The path of the file with the first key. */
export function firstKeyPath({ dataDir }: DataFolder): string {
  return firstKeyFile(dataDir).path;
}

/** The first key, while its file exists and is readable. */
export function findFirstKey({ dataDir }: DataFolder): Promise<string | undefined> {
  return readFirstKey(dataDir);
}
