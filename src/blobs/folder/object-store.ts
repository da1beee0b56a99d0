import { randomUUID } from 'node:crypto';
import { type FileHandle, link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { OperatorError, OutageError } from '@larder/core/errors.ts';
import { syncFolder } from '../../files/atomic-file-writer.ts';
import type { DiskReserve } from '../../files/disk-reserve.ts';
import { storageFull } from '../../files/file-errors.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { ensurePrivateFile, OWNER_ONLY } from '../../files/private-file.ts';
import {
  isObjectKey,
  type ListedObject,
  MAX_LISTED_OBJECTS,
  measured,
  type NewObject,
  type ObjectKey,
  type ObjectPage,
  type ObjectStore,
  type OpenObject,
  parseKeyPrefix,
  type ReadGrant,
  type StoredObject,
  type UploadGrant,
} from '../object-store.ts';
import type { UrlSigner } from '../signed-url.ts';
import type { UploadStore } from '../signed-url-access.ts';

/**
 * An object as one file, so that it is in place in one step: a header of fixed length with its type, then its bytes.
 *
 *     larder object 1\n  image/jpeg\n  zeros up to 256 bytes  the object
 */
const OBJECT_HEADER_BYTES = 256;
const MAGIC = 'larder object 1';
const CONTENT_TYPE = /^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,99}$/;

/** Writes the object and syncs it to disk. */
async function writeObject(
  file: FileHandle,
  contentType: string,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  if (!CONTENT_TYPE.test(contentType)) throw new Error(`${JSON.stringify(contentType)} is no content type`);
  const header = Buffer.alloc(OBJECT_HEADER_BYTES);
  header.write(`${MAGIC}\n${contentType}\n`, 'latin1');
  await file.writeFile(header);
  // Continues behind the header: writeFile begins at the file's current position.
  await file.writeFile(body);
  await file.sync();
}

/** Throws for a file that is not an object. */
export async function readHeader(
  file: FileHandle,
): Promise<{ contentType: string; sizeBytes: number; storedAtMs: number }> {
  const header = Buffer.alloc(OBJECT_HEADER_BYTES);
  const { bytesRead } = await file.read(header, 0, OBJECT_HEADER_BYTES, 0);
  const [magic, contentType] = header.toString('latin1').split('\n', 2);
  if (bytesRead < OBJECT_HEADER_BYTES || magic !== MAGIC) throw new Error('the file is no object');
  return { contentType: contentType!, ...toListed(await file.stat()) };
}

/** The metadata of an object that the file system provides. */
export function toListed({ size, mtimeMs }: { size: number; mtimeMs: number }) {
  return { sizeBytes: size - OBJECT_HEADER_BYTES, storedAtMs: Math.floor(mtimeMs / 1000) * 1000 };
}

/** Error codes of a full disk. */
const NO_ROOM = ['ENOSPC', 'EDQUOT'];
/** Error codes of a read-only folder, and of a process with too many open files. */
const NOT_WRITABLE = ['EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE'];
/** Bytes to write before the free disk space is checked again. */
const LOOK_EVERY_BYTES = 1024 * 1024;
const FOLDER = 'objects';
/** No key begins with this name. */
const INCOMING = '.incoming';
/** Prefix of file names of uploads, which only the process that serves the folder accepts. */
const UPLOAD = 'upload-';
/** Older files in `.incoming` are leftovers of a crash: no upload takes that long. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000;

interface FolderObjectStoreOptions {
  readonly dataDir: string;
  readonly signer: UrlSigner;
  readonly disk: DiskReserve;
  /** The API thread that receives uploads with this store; absent if none does. */
  readonly thread?: number;
  readonly nowMs: () => number;
}

/**
 * Objects in the data folder:
 *
 *     objects/FOLDER/NAME                       an object: a header, then its bytes
 *     objects/.incoming/[upload-THREAD-]UUID    a file that is being written; a rename or link moves it to its place
 *
 * A list reads all names of a folder for its first page and caches them for the next one, because a folder
 * may hold the analyses of a month.
 */
export class FolderObjectStore implements ObjectStore, UploadStore {
  readonly #root: string;
  readonly #incoming: string;
  readonly #signer: UrlSigner;
  readonly #disk: DiskReserve;
  readonly #uploadPrefix: string;
  readonly #nowMs: () => number;
  /** The keys after the latest page of a list. */
  #listing:
    | { readonly prefix: string; readonly after: ObjectKey; readonly keys: readonly ObjectKey[] }
    | undefined;

  /** Creates the folder, and removes leftovers of crashes: those of this thread at once, others when they are old. */
  static async open(options: FolderObjectStoreOptions): Promise<FolderObjectStore> {
    const store = new FolderObjectStore(options);
    await makeFolder(store.#incoming);
    if (options.thread !== undefined) await removeBeginning(store.#incoming, store.#uploadPrefix);
    await store.removeLeftovers();
    return store;
  }

  /**
   * Removes uploads that an earlier process left unfinished. For the process that serves the folder, before
   * its threads start.
   */
  static removeUploads(dataDir: string): Promise<void> {
    return removeBeginning(incomingOf(dataDir), UPLOAD);
  }

  private constructor({ dataDir, signer, disk, thread, nowMs }: FolderObjectStoreOptions) {
    this.#root = join(dataDir, FOLDER);
    this.#incoming = incomingOf(dataDir);
    this.#signer = signer;
    this.#disk = disk;
    this.#uploadPrefix = `${UPLOAD}${thread ?? 'none'}-`;
    this.#nowMs = nowMs;
  }

  async put(object: NewObject): Promise<void> {
    try {
      await this.#write(object, { name: randomUUID(), place: rename });
    } catch (error) {
      if (!(error instanceof NoRoomError)) throw error;
      throw new OutageError('an object cannot be stored: the disk is almost full', { cause: error });
    }
  }

  /** Uses a link, which unlike a rename does not replace an existing file. */
  async putAbsent(object: NewObject): Promise<boolean> {
    try {
      await this.#write(object, { name: this.#uploadPrefix + randomUUID(), place: link });
      return true;
    } catch (error) {
      if (error instanceof NoRoomError) throw storageFull(error);
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  async find(key: ObjectKey): Promise<StoredObject | undefined> {
    const file = await absentAsUndefined(open(join(this.#root, key), 'r'));
    if (file === undefined) return undefined;
    try {
      return { key, ...(await readHeader(file)) };
    } finally {
      await file.close();
    }
  }

  async read(key: ObjectKey, signal?: AbortSignal): Promise<OpenObject | undefined> {
    const file = await absentAsUndefined(open(join(this.#root, key), 'r'));
    if (file === undefined) return undefined;
    try {
      const header = await readHeader(file);
      const body = file.createReadStream({ start: OBJECT_HEADER_BYTES });
      return { key, ...header, body: signal === undefined ? body : addAbortSignal(signal, body) };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async delete(key: ObjectKey): Promise<void> {
    await rm(join(this.#root, key), { force: true });
  }

  async list({ prefix, after = '' as ObjectKey, limit }: ObjectPage): Promise<readonly ListedObject[]> {
    const isContinued = this.#listing?.prefix === prefix && this.#listing.after === after;
    const keys = isContinued ? this.#listing!.keys : await this.#keysAfter(prefix, after);
    const page: ListedObject[] = [];
    let seen = 0;
    for (; seen < keys.length && page.length < Math.min(limit, MAX_LISTED_OBJECTS); seen++) {
      const key = keys[seen]!;
      const found = await absentAsUndefined(stat(join(this.#root, key)));
      if (found !== undefined) page.push({ key, ...toListed(found) });
    }
    const last = page.at(-1);
    this.#listing =
      last === undefined || seen === keys.length
        ? undefined
        : { prefix, after: last.key, keys: keys.slice(seen) };
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

  async #keysAfter(prefix: string, after: ObjectKey): Promise<readonly ObjectKey[]> {
    const { folder, namePrefix } = parseKeyPrefix(prefix);
    return (await namesIn(join(this.#root, folder)))
      .filter((name) => name.startsWith(namePrefix))
      .map((name) => `${folder}/${name}`)
      .filter(isObjectKey)
      .filter((key) => key > after)
      .toSorted();
  }

  /** Throws a `NoRoomError`. */
  async #write(
    { key, contentType, body, size }: NewObject,
    { name, place }: { readonly name: string; readonly place: typeof rename },
  ): Promise<void> {
    const temporary = join(this.#incoming, name);
    const path = join(this.#root, key);
    try {
      const file = await open(temporary, 'wx', OWNER_ONLY);
      try {
        await writeObject(file, contentType, whileRoom(this.#disk, measured(body, size)));
      } finally {
        await file.close();
      }
      if (await makeFolder(dirname(path))) await syncFolder(this.#root);
      await place(temporary, path);
      await syncFolder(dirname(path));
    } catch (error) {
      throw toStoreError(error);
    } finally {
      await rm(temporary, { force: true });
    }
  }
}

/** The disk is full, or its reserve would be used. */
class NoRoomError extends Error {}

function toStoreError(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (NO_ROOM.includes(code)) return new NoRoomError(message, { cause: error });
  if (!NOT_WRITABLE.includes(code)) return error;
  return new OutageError(`an object cannot be stored: ${message}`, { cause: error });
}

/** The body as a stream, while the disk has space beyond its reserve. */
async function* whileRoom(
  disk: DiskReserve,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  let sinceLook = LOOK_EVERY_BYTES;
  for await (const chunk of body) {
    sinceLook += chunk.length;
    if (sinceLook >= LOOK_EVERY_BYTES) {
      if (!(await disk.hasRoom())) throw new NoRoomError('the reserve of the disk would be used');
      sinceLook = 0;
    }
    yield chunk;
  }
}

function incomingOf(dataDir: string): string {
  return join(dataDir, FOLDER, INCOMING);
}

async function removeBeginning(folder: string, prefix: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (name.startsWith(prefix)) await rm(join(folder, name), { force: true });
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

const SECRET_FILE = 'object-secret';
const SECRET_BYTES = 32;
const HEX_SECRET = new RegExp(`^[0-9a-f]{${2 * SECRET_BYTES}}$`);

/** The secret that signs URLs of objects: created once for a data folder, and shared by all processes that serve it. */
export async function ensureObjectSecret(
  dataDir: string,
  randomBytes: (count: number) => Buffer,
): Promise<Buffer> {
  const path = join(dataDir, SECRET_FILE);
  const text = await ensurePrivateFile(path, `${randomBytes(SECRET_BYTES).toString('hex')}\n`);
  if (!HEX_SECRET.test(text)) {
    throw new OperatorError(
      `${path} is damaged; remove it and start again. Addresses given out before end then.`,
    );
  }
  return Buffer.from(text, 'hex');
}
