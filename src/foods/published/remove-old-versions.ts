import type { ObjectStore } from '../../blobs/object-store.ts';
import { eachPart, listParts, versionOf } from './catalogue-parts.ts';
import type { CatalogueVersions } from './catalogue-versions.ts';
import { ABANDONED_MS } from './publish-catalogue.ts';

/** Number of latest versions to keep, besides the active one and the one to roll back to. */
const KEPT_VERSIONS = 5;
const DELETIONS_AT_ONCE = 4;

/**
 * Removes old versions, and parts of uploads that were interrupted over a day ago; returns the names of the
 * versions.
 */
export async function removeOldVersions({
  versions,
  objects,
  nowMs,
}: {
  readonly versions: CatalogueVersions;
  readonly objects: Pick<ObjectStore, 'list' | 'delete'>;
  readonly nowMs: () => number;
}): Promise<readonly string[]> {
  const removed = await versions.removeOld(KEPT_VERSIONS);
  const parts = await listParts(objects);
  // Versions are listed after the parts, so that a version that was added meanwhile is known.
  const known = new Set((await versions.list()).map(({ name }) => name));
  const needless = parts.filter(({ key, storedAtMs }) => {
    const name = versionOf(key);
    if (known.has(name)) return false;
    return removed.includes(name) || nowMs() - storedAtMs > ABANDONED_MS;
  });
  await eachPart({ count: needless.length, atOnce: DELETIONS_AT_ONCE }, (at) =>
    objects.delete(needless[at]!.key),
  );
  return removed;
}
