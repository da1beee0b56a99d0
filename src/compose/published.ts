import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresCatalogueVersions } from '../adapters/cluster/catalogue-versions.ts';
import { toDatabase } from '../adapters/cluster/database.ts';
import { DatabasePool } from '../adapters/cluster/database-pool.ts';
import { S3ObjectStore } from '../adapters/cluster/object-store.ts';
import { Catalogue } from '../catalogue/catalogue.ts';
import { loadCatalogueImage } from '../catalogue/catalogue-image.ts';
import { CatalogueCopies } from '../catalogue/published/catalogue-copies.ts';
import { CatalogueFollower, type CatalogueFollowerPorts } from '../catalogue/published/catalogue-follower.ts';
import { CopyFetcher } from '../catalogue/published/copy-fetcher.ts';
import { type PublishRequest, publishCatalogue } from '../catalogue/published/publish-catalogue.ts';
import { removeOldVersions } from '../catalogue/published/remove-old.ts';
import type { ClusterConfig } from '../config.ts';
import { openDisk } from './disk.ts';
import { migrate } from './migrate.ts';
import { openSharedClock } from './shared-clock.ts';

/** One will do: nothing here asks two questions at once. */
const CONNECTIONS = 1;

/** The published catalogues of a cluster. Close it when done. */
export async function openPublished(config: ClusterConfig) {
  await migrate(config);
  const { dataDir, database: limits, s3, secrets } = config;
  const pool = new DatabasePool({ url: secrets.databaseUrl, connections: CONNECTIONS, limits });
  const db = toDatabase(pool);
  const clock = await openSharedClock(pool, undefined);
  const { nowMs } = clock;
  const versions = new PostgresCatalogueVersions({ db, nowMs });
  const objects = new S3ObjectStore({ ...s3, secretAccessKey: secrets.s3SecretAccessKey, nowMs });
  const copies = new CatalogueCopies({ dataDir, nowMs: Date.now });
  return {
    versions,
    copies,
    follow: (parts: Pick<CatalogueFollowerPorts, 'loadImage' | 'log'>) =>
      new CatalogueFollower({
        ...parts,
        versions,
        copies,
        fetcher: new CopyFetcher({ versions, objects, copies, disk: openDisk(config) }),
        random: Math.random,
      }),
    /** Throws an `OperatorError` where the file cannot be used, before anything of it is sent. */
    async publish(request: Pick<PublishRequest, 'file' | 'sendAll' | 'onProgress'>) {
      const { info } = Catalogue.open(await loadCatalogueImage(request.file));
      return publishCatalogue({ ...request, info, objects, versions, nowMs, sleep });
    },
    removeOld: () => removeOldVersions({ versions, objects, nowMs }),
    async close() {
      clock.close();
      await db.destroy();
    },
  };
}
