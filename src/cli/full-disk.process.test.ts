import { readdirSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { OLD_SCHEMA } from '../../test/support/off-products.ts';
import { runLarder } from '../../test/support/run-larder.ts';
import { mountSmallDisk, whyNoSmallDisk } from '../../test/support/small-disk.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { ensureCatalogue, openCatalogueStore } from '../app/catalogue-store.ts';
import { readConfig } from '../config/config.ts';

const MEGABYTE = 1_000_000;
const RESERVE_MB = 8;
const PRODUCTS = 40_000;
const reason = whyNoSmallDisk();
if (reason !== undefined) process.stderr.write(`Commands on a full disk are not tested here: ${reason}.\n`);

test.skipIf(reason !== undefined)(
  'on a nearly full disk, large writes are rejected, leave no files and do not use the reserve',
  async () => {
    using disk = mountSmallDisk(96);
    using elsewhere = tempFolder();
    const env = { LARDER_DATA_DIR: join(disk.path, 'data'), LARDER_DISK_RESERVE_MB: String(RESERVE_MB) };
    const config = readConfig(env);
    const products = join(elsewhere.path, 'products.jsonl');
    const lines = Array.from({ length: PRODUCTS }, (_, at) => ({ ...OLD_SCHEMA, code: String(at * 7_919) }));
    writeFileSync(products, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await ensureCatalogue(config);
    await runLarder(env, 'key', 'create', '--tenant', 'default', '--scopes', 'foods:read');
    const backup = join(elsewhere.path, 'backup.db');
    await runLarder(env, 'backup', backup);
    const current = await openCatalogueStore(config).current();
    const files = () =>
      readdirSync(config.dataDir, { recursive: true, encoding: 'utf8' })
        .filter((name) => !/-(wal|shm)$/.test(name))
        .toSorted();
    const freeBytes = () => {
      const { bavail, bsize } = statfsSync(disk.path);
      return bavail * bsize;
    };
    const before = files();
    const refused = async (freeMb: number, ...words: string[]) => {
      disk.leaveFree(freeMb * MEGABYTE);
      const free = freeBytes();
      const failure = await runLarder(env, ...words).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(OperatorError);
      expect((failure as Error).message).toMatch(/LARDER_DISK_RESERVE_MB keeps 8 MB/);
      expect(files()).toEqual(before);
      // The check excludes files that SQLite creates and deletes itself.
      expect(freeBytes()).toBeGreaterThan(free - MEGABYTE / 10);
    };

    await refused(RESERVE_MB - 0.1, 'import', 'off', products);
    // The import starts, and is rejected while it runs.
    await refused(RESERVE_MB + 2, 'import', 'off', products);
    await refused(RESERVE_MB - 0.1, 'catalogue', 'rebuild');
    await refused(RESERVE_MB + 0.05, 'backup', join(disk.path, 'backup.db'));
    await refused(RESERVE_MB + 0.05, 'restore', backup);
    expect(await openCatalogueStore(config).current()).toBe(current);

    // The other disk has space, and the write to this one is small.
    await runLarder(env, 'backup', join(elsewhere.path, 'again.db'));
    await runLarder(env, 'catalogue', 'use', current!);
    disk.leaveFree(60 * MEGABYTE);
    await runLarder(env, 'restore', backup);
    await runLarder(env, 'import', 'off', products);
    expect(await openCatalogueStore(config).current()).not.toBe(current);
  },
);
