import { randomBytes } from 'node:crypto';
import { DiskReserve } from '../../src/files/disk-reserve.ts';
import { UrlSigner } from '../../src/objects/signed-url.ts';
import { FolderObjectStore } from '../../src/storage/folder/object-store.ts';

/** An object store in a folder, for tests that need no address of it. */
export function openFolderObjects(
  dataDir: string,
  nowMs: () => number = Date.now,
): Promise<FolderObjectStore> {
  const signer = new UrlSigner({ secret: randomBytes(32) });
  const disk = new DiskReserve({ folder: dataDir, reserveBytes: 0 });
  return FolderObjectStore.open({ dataDir, signer, disk, nowMs });
}
