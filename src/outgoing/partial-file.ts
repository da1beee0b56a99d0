import { type FileHandle, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { makeFolder } from '../files/make-folder.ts';

const MAX_SIDECAR_CHARS = 4_096;

/** Conditions for continuing an interrupted download. */
export interface PartOrigin {
  readonly url: string;
  /** A strong ETag or a Last-Modified date, as `If-Range` takes it. */
  readonly validator?: string;
  readonly totalBytes?: number;
}

/**
 * A partial download: `TARGET.part` with the bytes so far, and `TARGET.from.json`, which identifies their source. The
 * latter stays beside the finished file until `remove`, so that repeating the download of an unchanged export costs
 * one request.
 */
export class PartialFile {
  readonly #target: string;
  readonly #handle: FileHandle;
  #sizeBytes: number;
  #origin: PartOrigin | undefined;

  private constructor(target: string, handle: FileHandle, sizeBytes: number, origin: PartOrigin | undefined) {
    this.#target = target;
    this.#handle = handle;
    this.#sizeBytes = sizeBytes;
    this.#origin = origin;
  }

  /** Opens the partial file of an earlier run for the same `url`; any other is deleted. */
  static async open(target: string, url: string): Promise<PartialFile> {
    await makeFolder(dirname(target));
    await rename(target, partOf(target)).catch(unlessMissing);
    const handle = await open(partOf(target), 'a+');
    const origin = await readOrigin(target);
    const file = new PartialFile(target, handle, (await handle.stat()).size, origin);
    if (origin?.url !== url) await file.#forget();
    return file;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get origin(): PartOrigin | undefined {
    return this.#origin;
  }

  /** Starts again at byte 0. */
  async restart(origin: PartOrigin): Promise<void> {
    await this.#forget();
    this.#origin = origin;
    await writeFile(sidecarOf(this.#target), JSON.stringify(origin));
  }

  async append(chunk: Uint8Array): Promise<void> {
    await this.#handle.appendFile(chunk);
    this.#sizeBytes += chunk.length;
  }

  async head(length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  }

  /** Renames the finished file. Throws an `OperatorError` if another process wrote to it. */
  async finish(): Promise<void> {
    if ((await this.#handle.stat()).size !== this.#sizeBytes) {
      await this.#forget();
      throw new OperatorError(
        `Two commands downloaded ${this.#target} at the same time, so the file was deleted. Run one of them again.`,
      );
    }
    await this.#handle.sync();
    await this.close();
    await rename(partOf(this.#target), this.#target);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #forget(): Promise<void> {
    this.#origin = undefined;
    this.#sizeBytes = 0;
    await rm(sidecarOf(this.#target), { force: true });
    await this.#handle.truncate(0);
  }
}

/** Deletes a download, finished or not. */
export async function removeDownload(target: string): Promise<void> {
  for (const file of [target, partOf(target), sidecarOf(target)]) await rm(file, { force: true });
}

/** Deletes partial files of other downloads in the target's folder, which no later run continues. */
export async function removeStaleParts(target: string): Promise<void> {
  const names = await readdir(dirname(target)).catch(unlessMissing);
  for (const name of names ?? []) {
    const other = join(dirname(target), name.slice(0, -PART_ENDING.length));
    if (name.endsWith(PART_ENDING) && other !== target) await removeDownload(other);
  }
}

const PART_ENDING = '.part';

function partOf(target: string): string {
  return target + PART_ENDING;
}

function sidecarOf(target: string): string {
  return `${target}.from.json`;
}

async function readOrigin(target: string): Promise<PartOrigin | undefined> {
  const file = sidecarOf(target);
  const size = await stat(file).then((stats) => stats.size, unlessMissing);
  if (size === undefined || size > MAX_SIDECAR_CHARS) return undefined;
  try {
    const origin: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isOrigin(origin) ? origin : undefined;
  } catch (error) {
    // An incomplete sidecar, left by a crash: the download starts again.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isOrigin(value: unknown): value is PartOrigin {
  if (typeof value !== 'object' || value === null) return false;
  const { url, validator, totalBytes } = value as Record<string, unknown>;
  return (
    typeof url === 'string' &&
    (validator === undefined || typeof validator === 'string') &&
    (totalBytes === undefined || Number.isSafeInteger(totalBytes))
  );
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}
