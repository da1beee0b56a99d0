import { createHash } from 'node:crypto';
import { constants, type FileHandle, open, stat } from 'node:fs/promises';
import type { ObjectKey, ObjectStore, OpenObject } from '../../blobs/object-store.ts';
import type { DiskReserve } from '../../files/disk-reserve.ts';
import { CATALOGUE_FORMAT_VERSION, isReadableCatalogue } from '../catalogue/format.ts';
import type { CatalogueCopies } from './catalogue-copies.ts';
import { eachPart, partKey, readFilePart, sha256Hex } from './catalogue-parts.ts';
import type { CatalogueVersions } from './catalogue-versions.ts';
import { type CatalogueVersion, MAX_PUBLISHED_BYTES, PART_BYTES, partExtent } from './catalogue-versions.ts';
import { COPY_PROBLEMS, CopyProblem, noSpace, onDisk, toCopyProblem } from './fetch-problem.ts';

/** Parts that are fetched concurrently; each is in memory. */
const FETCHES_AT_ONCE = 3;
const STALL_MS = 3_000;
/** Bytes of a block that `stat` counts. */
const BLOCK_BYTES = 512;

export interface FetchRequest {
  readonly version: CatalogueVersion;
  /** Path of the copy. Parts of an earlier attempt are verified, and fetched again only if damaged. */
  readonly file: string;
  readonly objects: Pick<ObjectStore, 'read'>;
  /** The disk of `file`. */
  readonly disk: Pick<DiskReserve, 'hasRoom'>;
  /** Aborts the download. */
  readonly signal: AbortSignal;
  /** Time without data after which a part is abandoned. */
  readonly stallMs?: number;
}

/**
 * Copies a published catalogue into a file, each part verified by its SHA-256. The file is synced to disk when this
 * resolves. Throws a `CopyProblem`.
 */
export async function fetchCatalogue(request: FetchRequest): Promise<void> {
  const { version, file, disk, signal } = request;
  const { bytes, partBytes, parts, name } = version;
  const isSound =
    partBytes <= PART_BYTES && bytes <= MAX_PUBLISHED_BYTES && parts.length === Math.ceil(bytes / partBytes);
  if (!isSound) throw new CopyProblem('damaged', 'what is known of it does not fit together');
  await onDisk(bytes, async () => {
    if (!(await disk.hasRoom(bytes - (await takenBytes(file))))) throw noSpace(bytes);
    await using handle = await open(file, constants.O_RDWR | constants.O_CREAT);
    const { size: presentBytes } = await handle.stat();
    await eachPart({ count: parts.length, atOnce: FETCHES_AT_ONCE }, async (part) => {
      signal.throwIfAborted();
      const extent = partExtent(version, part);
      const sha256 = parts[part]!;
      const isPresent = extent.offset < presentBytes;
      if (isPresent && sha256Hex(await readFilePart(handle, extent)) === sha256) return;
      const fetched = await fetchPart(request, partKey(name, sha256), extent.length);
      if (fetched.sha256 !== sha256) {
        const which = `part ${part + 1} of ${parts.length}`;
        throw new CopyProblem('damaged', `${which} is not in the object store as it was published`);
      }
      if (!(await disk.hasRoom())) throw noSpace(bytes);
      await writeFully(handle, fetched.bytes, extent.offset);
    });
    await handle.truncate(bytes);
    await handle.sync();
  });
}

/** All of an object, at most `length` bytes. */
async function fetchPart(
  { objects, signal, stallMs = STALL_MS }: FetchRequest,
  key: ObjectKey,
  length: number,
): Promise<{ readonly bytes: Buffer; readonly sha256: string }> {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(new Error(`nothing came for ${stallMs} ms`)), stallMs);
  let object: OpenObject | undefined;
  const chunks: Buffer[] = [];
  // Hashed in small pieces, so that the event loop is not blocked for long.
  const hash = createHash('sha256');
  let size = 0;
  try {
    object = await objects.read(key, AbortSignal.any([signal, stalled.signal]));
    for await (const chunk of object?.body ?? []) {
      timer.refresh();
      size += chunk.length;
      // An object that is too long is not the published one, so the rest need not be read.
      if (size > length) break;
      hash.update(chunk);
      chunks.push(chunk);
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw new CopyProblem('store_unavailable', 'the object store cannot be read', { cause });
  } finally {
    clearTimeout(timer);
  }
  if (object === undefined) throw new CopyProblem('missing', 'a part of it is not in the object store');
  return { bytes: Buffer.concat(chunks), sha256: hash.digest('hex') };
}

/** Returns the number of bytes on disk from an earlier attempt. */
async function takenBytes(file: string): Promise<number> {
  return ((await stat(file).catch(() => undefined))?.blocks ?? 0) * BLOCK_BYTES;
}

async function writeFully(handle: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done, offset + done)).bytesWritten;
  }
}

export interface CopyFetcherOptions {
  readonly versions: CatalogueVersions;
  readonly objects: Pick<ObjectStore, 'read'>;
  readonly copies: CatalogueCopies;
  /** Disk reserve of the folder of copies. */
  readonly disk: DiskReserve;
}

/** Fetches copies of published catalogues, and counts the results. */
export class CopyFetcher {
  readonly #options: CopyFetcherOptions;
  readonly #results = new Map<string, number>(['fetched', ...COPY_PROBLEMS].map((result) => [result, 0]));
  /** Bytes of the latest copy that have arrived, from which the next attempt continues. */
  #incoming: { readonly name: string; readonly file: string } | undefined;

  constructor(options: CopyFetcherOptions) {
    this.#options = options;
  }

  /** Number of attempts by result: `fetched`, or the code of the problem. */
  get results(): ReadonlyMap<string, number> {
    return this.#results;
  }

  /** Resolves when the copy is complete. Throws a `CopyProblem`, or the reason of `signal`. */
  async fetch(name: string, signal: AbortSignal): Promise<void> {
    try {
      const version = await this.#find(name);
      await onDisk(version.bytes, () => this.#copy(version, signal));
      this.count('fetched');
    } catch (error) {
      signal.throwIfAborted();
      const problem = toCopyProblem(error);
      this.count(problem.code);
      throw problem;
    }
  }

  /** Makes the next `fetch` verify every part of this copy, and fetch the damaged ones again. */
  async doubt(name: string): Promise<void> {
    this.#incoming = { name, file: await this.#options.copies.withdraw(name) };
  }

  count(result: string): void {
    this.#results.set(result, this.#results.get(result)! + 1);
  }

  async #copy(version: CatalogueVersion, signal: AbortSignal): Promise<void> {
    const { copies, objects, disk } = this.#options;
    const { name } = version;
    if (this.#incoming?.name !== name) {
      this.#incoming = { name, file: await copies.newFile(name) };
    }
    const { file } = this.#incoming;
    await fetchCatalogue({ version, file, objects, disk, signal });
    await copies.adopt(file, name);
    this.#incoming = undefined;
  }

  async #find(name: string): Promise<CatalogueVersion> {
    const version = await this.#options.versions.find(name).catch((cause) => {
      throw new CopyProblem('database_unavailable', 'the database does not answer', { cause });
    });
    if (version === undefined) throw new CopyProblem('missing', 'it is not published any more');
    const { formatVersion } = version;
    if (!isReadableCatalogue(formatVersion)) {
      const what = `it has format version ${formatVersion}, and this Larder reads ${CATALOGUE_FORMAT_VERSION}`;
      const toDo =
        formatVersion > CATALOGUE_FORMAT_VERSION
          ? 'upgrade this node'
          : 'upgrade the importing machine, then run `larder catalogue rebuild` and `larder catalogue publish --activate` there';
      throw new CopyProblem('unsupported_format', `${what}: ${toDo}`);
    }
    return version;
  }
}
