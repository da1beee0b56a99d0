import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterConfig } from '../config/config.ts';
import { Catalogue } from '../foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../foods/catalogue/load-catalogue.ts';
import { CatalogueCopies } from '../foods/published/catalogue-cache.ts';
import { CatalogueFollower, type CatalogueFollowerPorts } from '../foods/published/catalogue-follower.ts';
import { CopyFetcher } from '../foods/published/fetch-catalogue.ts';
import { type PublishRequest, publishCatalogue } from '../foods/published/publish-catalogue.ts';
import { removeOldVersions } from '../foods/published/remove-old-versions.ts';
import { openSharedClock } from '../storage/postgres/database-clock.ts';
import { DatabasePool } from '../storage/postgres/database-pool.ts';
import { migrate } from '../storage/postgres/migrate.ts';
import { PostgresCatalogueVersions, toDatabase } from '../storage/postgres/published-versions.ts';
import { S3ObjectStore } from '../storage/s3/object-store.ts';
import { openDisk } from './data-folder.ts';

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
