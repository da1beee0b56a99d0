import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { FolderObjectStore } from '../../src/blobs/folder/object-store.ts';
import { MAX_OBJECT_BYTES, type ObjectKey } from '../../src/blobs/object-store.ts';
import { UrlSigner } from '../../src/blobs/signed-url.ts';
import { openDatabase } from '../../src/db/sqlite/database.ts';
import { DiskReserve } from '../../src/files/disk-reserve.ts';
import { ScanStore } from '../../src/scan/jobs/scan-store.ts';
import { UploadEvents } from '../../src/scan/jobs/upload-events.ts';
import { imageKey, type NewScan, type ScanId } from '../../src/scan/scan-job.ts';
import type { ScanSignal } from '../../src/scan/signals/scan-signals.ts';
import { ThreadScanSignals } from '../../src/scan/signals/thread-scan-signals.ts';
import { ANY_NUMBER, newScan } from './new-scan.ts';
import { tempFolder } from './temp-folder.ts';

/** Stores of scans over a temporary data folder, with a clock set by the test. */
export async function openScans() {
  const folder = tempFolder();
  const clock = { nowMs: 2_000 };
  const nowMs = () => clock.nowMs;
  const db = await openDatabase({ file: join(folder.path, 'larder.db') });
  const store = new ScanStore(db);
  const signer = new UrlSigner({ secret: randomBytes(32) });
  const disk = new DiskReserve({ folder: folder.path, reserveBytes: 0 });
  const objects = await FolderObjectStore.open({ dataDir: folder.path, signer, disk, nowMs });
  const signals = ThreadScanSignals.open({ name: folder.path });
  const heard: ScanSignal[] = [];
  signals.listen((signal) => heard.push(signal));
  const uploadEvents = new UploadEvents({ store, objects, signals, nowMs });
  const put = (key: ObjectKey, content: string) =>
    objects.put({
      key,
      contentType: 'image/jpeg',
      body: Readable.from([Buffer.from(content)]),
      size: { maxBytes: MAX_OBJECT_BYTES },
    });
  const create = async (more: Partial<NewScan> = {}): Promise<ScanId> => {
    const scan = newScan(more);
    await store.create(scan, ANY_NUMBER);
    return scan.id;
  };
  return {
    store,
    objects,
    signals,
    uploadEvents,
    clock,
    nowMs,
    /** Advances only the clock. */
    pause: async (ms: number) => {
      clock.nowMs += ms;
    },
    /** All signals so far. */
    heard,
    put,
    create,
    /** Undefined if it does not exist. */
    find: async (id: ScanId) => (await store.findByIds([id]))[0],
    /** A scan whose image was uploaded. */
    async queue(content: string, more: Partial<NewScan> = {}): Promise<ScanId> {
      const id = await create(more);
      await put(imageKey(id), content);
      await uploadEvents.stored(imageKey(id));
      return id;
    },
    async [Symbol.asyncDispose]() {
      signals.close();
      await db.close();
      folder[Symbol.dispose]();
    },
  };
}
