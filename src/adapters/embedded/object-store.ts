import { randomUUID } from 'node:crypto';
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { syncFolder } from '../../catalogue/checked-file-writer.ts';
import { OutageError } from '../../errors.ts';
import { measured } from '../../objects/measured.ts';
import { isObjectKey, type ObjectKey, parseKeyPrefix } from '../../objects/object-key.ts';
import {
  type ListedObject,
  MAX_LISTED_OBJECTS,
  type NewObject,
  type ObjectPage,
  type ObjectStore,
  type OpenObject,
  type ReadGrant,
  type StoredObject,
  type UploadGrant,
} from '../../objects/object-store.ts';
import type { AddressSigner } from '../../scan/address-signer.ts';
import type { GatedStore } from '../../scan/object-gate.ts';
import { HEADER_BYTES, readHeader, toListed, writeObject } from './object-file.ts';
import { OWNER_ONLY } from './private-file.ts';

/** Errors of a disk that is full, or read-only for now. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EROFS'];
/** No key begins like this. */
const INCOMING = '.incoming';
/** What lies in `.incoming` for longer was left by a crash: no upload takes that long. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000;

/**
 * Objects in the data folder:
 *
 *     objects/FOLDER/NAME      see `object-file.ts`
 *     objects/.incoming/UUID   what is still being written; a rename or link puts it in place
 *
 * A list reads all names of a folder for each page, which suits the some 100,000 images of a day.
 */
export class FolderObjectStore implements ObjectStore, GatedStore {
  readonly #root: string;
  readonly #incoming: string;
  readonly #signer: AddressSigner;
  readonly #nowMs: () => number;

  /** Makes the folder, and removes what a crash left in it. */
  static async open(ports: {
    dataDir: string;
    signer: AddressSigner;
    nowMs: () => number;
  }): Promise<FolderObjectStore> {
    const { dataDir, ...rest } = ports;
    const store = new FolderObjectStore({ root: join(dataDir, 'objects'), ...rest });
    await mkdir(store.#incoming, { recursive: true });
    await store.removeLeftovers();
    return store;
  }

  private constructor(parts: { root: string; signer: AddressSigner; nowMs: () => number }) {
    this.#root = parts.root;
    this.#incoming = join(parts.root, INCOMING);
    this.#signer = parts.signer;
    this.#nowMs = parts.nowMs;
  }

  async put(object: NewObject): Promise<void> {
    await this.#write(object, rename);
  }

  /** Uses a link, which unlike a rename does not replace what is there. */
  async putAbsent(object: NewObject): Promise<boolean> {
    try {
      await this.#write(object, link);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  async find(key: ObjectKey): Promise<StoredObject | undefined> {
    const file = await this.#open(key);
    if (file === undefined) return undefined;
    try {
      return { key, ...(await readHeader(file)) };
    } finally {
      await file.close();
    }
  }

  async read(key: ObjectKey, signal?: AbortSignal): Promise<OpenObject | undefined> {
    const file = await this.#open(key);
    if (file === undefined) return undefined;
    try {
      const header = await readHeader(file);
      const body = file.createReadStream({ start: HEADER_BYTES });
      return { key, ...header, body: signal === undefined ? body : addAbortSignal(signal, body) };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async delete(key: ObjectKey): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  async list({ prefix, after = '' as ObjectKey, limit }: ObjectPage): Promise<readonly ListedObject[]> {
    const { folder, namePrefix } = parseKeyPrefix(prefix);
    const keys = (await namesIn(join(this.#root, folder)))
      .filter((name) => name.startsWith(namePrefix))
      .map((name) => `${folder}/${name}`)
      .filter(isObjectKey)
      .filter((key) => key > after)
      .toSorted();
    const page: ListedObject[] = [];
    for (const key of keys) {
      if (page.length >= Math.min(limit, MAX_LISTED_OBJECTS)) break;
      const found = await absentAsUndefined(stat(this.#pathOf(key)));
      if (found !== undefined) page.push({ key, ...toListed(found) });
    }
    return page;
  }

  async removeLeftovers(): Promise<void> {
    const olderThanMs = this.#nowMs() - LEFTOVER_AGE_MS;
    for (const name of await namesIn(this.#incoming)) {
      const path = join(this.#incoming, name);
      const found = await absentAsUndefined(stat(path));
      if (found !== undefined && found.mtimeMs < olderThanMs) await rm(path, { force: true });
    }
  }

  async uploadAddress(grant: UploadGrant): Promise<string> {
    return this.#signer.toUploadAddress(grant);
  }

  async readAddress(grant: ReadGrant): Promise<string> {
    return this.#signer.toReadAddress(grant);
  }

  #pathOf(key: ObjectKey): string {
    return join(this.#root, key);
  }

  #open(key: ObjectKey): Promise<FileHandle | undefined> {
    return absentAsUndefined(open(this.#pathOf(key), 'r'));
  }

  async #write({ key, contentType, body, size }: NewObject, place: typeof rename): Promise<void> {
    const temporary = join(this.#incoming, randomUUID());
    const path = this.#pathOf(key);
    try {
      const file = await open(temporary, 'wx', OWNER_ONLY);
      try {
        await writeObject(file, contentType, measured(body, size));
      } finally {
        await file.close();
      }
      if ((await mkdir(dirname(path), { recursive: true })) !== undefined) await syncFolder(this.#root);
      await place(temporary, path);
      await syncFolder(dirname(path));
    } catch (error) {
      throw NO_ROOM.includes((error as NodeJS.ErrnoException).code ?? '')
        ? new OutageError(`an object cannot be stored: ${(error as Error).message}`, { cause: error })
        : error;
    } finally {
      await rm(temporary, { force: true });
    }
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await absentAsUndefined(readdir(folder))) ?? [];
}

async function absentAsUndefined<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
