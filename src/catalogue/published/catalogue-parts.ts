import { createHash } from 'node:crypto';
import { type ObjectKey, parseObjectKey } from '../../objects/object-key.ts';
import { type ListedObject, MAX_LISTED_OBJECTS, type ObjectStore } from '../../objects/object-store.ts';

/**
 * Keys of the parts of published catalogues: `catalogues/NAME.SHA256`. A key states the hash of its object, so a part
 * that is stored already need not be sent again, and one that was altered is noticed.
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
    const page = { prefix, limit: MAX_LISTED_OBJECTS, ...(after !== undefined && { after }) };
    const listed = await objects.list(page);
    parts.push(...listed);
    if (listed.length < MAX_LISTED_OBJECTS) return parts;
  }
}

/** The name of the version that a part belongs to. */
export function versionOf(key: ObjectKey): string {
  return key.slice(FOLDER.length, key.lastIndexOf('.'));
}
