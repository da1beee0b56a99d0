import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import {
  type ListedObject,
  MAX_LISTED_OBJECTS,
  type ObjectKey,
  type ObjectStore,
  parseObjectKey,
} from '../../blobs/object-store.ts';

/**
 * Keys of the parts of published catalogues: `catalogues/NAME.SHA256`. A key contains the hash of its object,
 * so an existing part need not be sent again, and an altered one is noticed.
 */
const FOLDER = 'catalogues/';

export const PART_CONTENT_TYPE = 'application/octet-stream';

export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function partKey(name: string, sha256: string): ObjectKey {
  return parseObjectKey(`${FOLDER}${name}.${sha256}`);
}

/** All parts of one version, or of every version. */
export async function listParts(
  objects: Pick<ObjectStore, 'list'>,
  name?: string,
): Promise<readonly ListedObject[]> {
  const prefix = name === undefined ? FOLDER : `${FOLDER}${name}.`;
  const parts: ListedObject[] = [];
  for (;;) {
    const after = parts.at(-1)?.key;
    const listed = await objects.list({ prefix, limit: MAX_LISTED_OBJECTS, after });
    parts.push(...listed);
    if (listed.length < MAX_LISTED_OBJECTS) return parts;
  }
}

/** The name of the version that a part belongs to. */
export function versionOf(key: ObjectKey): string {
  return key.slice(FOLDER.length, key.lastIndexOf('.'));
}

/**
 * Processes the parts 0 to `count` - 1 in order, several concurrently. After the first error it starts no
 * more, waits for the running ones, and throws.
 */
export async function eachPart(
  { count, atOnce }: { readonly count: number; readonly atOnce: number },
  work: (part: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const workOn = async (): Promise<void> => {
    while (next < count) {
      const part = next++;
      await work(part).catch((error) => {
        next = count;
        throw error;
      });
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atOnce, count) }, workOn));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Reads a range of the file, less if the file ends earlier. */
export async function readFilePart(
  handle: FileHandle,
  { offset, length }: { readonly offset: number; readonly length: number },
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
