import { randomBytes } from 'node:crypto';
import { ensureObjectSecret, FolderObjectStore } from '../../src/blobs/folder/object-store.ts';
import { UrlSigner } from '../../src/blobs/signed-url.ts';
import { DiskReserve } from '../../src/files/disk-reserve.ts';
import { openTestServer } from '../support/test-server.ts';
import { type OpenedObjectStore, objectStoreContract } from './object-store.ts';

objectStoreContract('A folder', openFolder);

async function openFolder(): Promise<OpenedObjectStore> {
  const fixture = await openTestServer();
  const { dataDir } = fixture;
  const signer = new UrlSigner({ secret: await ensureObjectSecret(dataDir, randomBytes) });
  const disk = new DiskReserve({ folder: dataDir, reserveBytes: 0 });
  return {
    store: fixture.objects,
    // URLs contain their expiry time, so the clock of their creator does not matter.
    past: fixture.objects,
    other: await FolderObjectStore.open({ dataDir, signer, disk, nowMs: Date.now }),
    origin: `http://127.0.0.1:${fixture.port}`,
    can: { limitUnknownLengths: true, refuseSecondUploads: true },
    close: async () => fixture[Symbol.asyncDispose](),
  };
}
