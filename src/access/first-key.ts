import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import type { RandomBytes } from '../base/time-ordered-id.ts';
import { ensurePrivateFile } from '../files/private-file.ts';
import { APP_SCOPES, DEFAULT_TENANT } from './api-key.ts';
import { createKeyText, parseKeyId } from './key-format.ts';
import { type IssuedKey, toStored } from './key-issuer.ts';
import type { KeyStore } from './key-store.ts';

/** The file that shows the first key to the operator. */
interface FirstKeyFile {
  readonly path: string;
  /** Stores `text` unless something is stored already. Returns what is stored, equal for concurrent callers. */
  keep(text: string): Promise<string>;
  /** Deletes the file. */
  remove(): Promise<void>;
}

export interface FirstKeyOptions {
  readonly store: KeyStore;
  readonly file: FirstKeyFile;
  readonly nowMs: () => number;
  readonly randomBytes: RandomBytes;
}

/**
 * Creates the first key of a service without keys. It is written to the file first, and the store then adopts the
 * file's content, so that processes that start together adopt the same key and a crash in between loses nothing.
 * Returns the key only to the caller that added it.
 */
export async function createFirstKey({
  store,
  file,
  nowMs,
  randomBytes,
}: FirstKeyOptions): Promise<IssuedKey | undefined> {
  if ((await store.list({ limit: 1 })).length > 0) return undefined;
  const nowSeconds = Math.floor(nowMs() / 1000);
  const text = await file.keep(createKeyText(nowSeconds, randomBytes));
  const id = parseKeyId(text);
  if (id === undefined) {
    throw new OperatorError(
      `${file.path} does not contain an API key, and there is no other key. Remove the file and start again.`,
    );
  }
  const key = {
    id,
    tenant: DEFAULT_TENANT,
    name: 'first key',
    scopes: APP_SCOPES,
    createdAt: nowSeconds,
    createdBy: 'cli',
  } as const;
  const issued: IssuedKey = { key, text };
  if (await store.addFirst(toStored(issued))) return issued;
  // Another process with this file added the same key; another node with its own file may have added another one.
  if ((await store.find(id)) === undefined) await file.remove();
  return undefined;
}

const FIRST_KEY_FILE = 'first-key.txt';

/** `<data folder>/first-key.txt`, readable by its owner only, with the key and nothing else. */
export function firstKeyFile(dataDir: string): FirstKeyFile {
  const path = join(dataDir, FIRST_KEY_FILE);
  return { path, keep: (text) => ensurePrivateFile(path, text), remove: () => rm(path, { force: true }) };
}

/** Returns undefined if the file does not exist or cannot be read. */
export async function readFirstKey(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(join(dataDir, FIRST_KEY_FILE), 'utf8')).trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES') return undefined;
    throw error;
  }
}
