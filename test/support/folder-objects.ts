import { randomBytes } from 'node:crypto';
import { FolderObjectStore } from '../../src/blobs/folder/object-store.ts';
import { UrlSigner } from '../../src/blobs/signed-url.ts';
import { DiskReserve } from '../../src/files/disk-reserve.ts';

/** An object store in a folder, for tests that do not use its URLs. */
export function openFolderObjects(
  dataDir: string,
  nowMs: () => number = Date.now,
): Promise<FolderObjectStore> {
  const signer = new UrlSigner({ secret: randomBytes(32) });
  const disk = new DiskReserve({ folder: dataDir, reserveBytes: 0 });
  return FolderObjectStore.open({ dataDir, signer, disk, nowMs });
}
