import { S3ObjectStore } from '../blobs/s3/object-store.ts';
import type { ClusterConfig } from '../config/config.ts';
import { toSql } from '../db/postgres/database.ts';
import { openSharedClock } from '../db/postgres/database-clock.ts';
import { DatabasePool } from '../db/postgres/database-pool.ts';
import { migrate } from '../db/postgres/migrate.ts';
import { Catalogue } from '../foods/catalogue/catalogue.ts';
import { loadCatalogueImage, verifyFactsSections } from '../foods/catalogue/load-catalogue.ts';
import { CatalogueCopies } from '../foods/published/catalogue-copies.ts';
import { CatalogueVersions } from '../foods/published/catalogue-versions.ts';
import {
  ClusterActiveCatalogue,
  type ClusterActiveCatalogueOptions,
} from '../foods/published/cluster-active-catalogue.ts';
import { CopyFetcher } from '../foods/published/fetch-catalogue.ts';
import { type PublishRequest, publishCatalogue } from '../foods/published/publish-catalogue.ts';
import { removeOldVersions } from '../foods/published/remove-old-versions.ts';
import { openDisk } from './data-folder.ts';

/** One connection is enough, because queries run in sequence. */
const CONNECTIONS = 1;

/** The published catalogues of a cluster. Close it when done. */
export async function openPublished(config: ClusterConfig) {
  await migrate(config);
  const { dataDir, database: limits, s3, secrets } = config;
  const pool = new DatabasePool({ url: secrets.databaseUrl, connections: CONNECTIONS, limits });
  const clock = await openSharedClock(pool, undefined);
  const { nowMs } = clock;
  const versions = new CatalogueVersions({ ...toSql(pool), nowMs });
  const objects = new S3ObjectStore({ ...s3, secretAccessKey: secrets.s3SecretAccessKey, nowMs });
  const copies = new CatalogueCopies({ dataDir, nowMs: Date.now });
  return {
    versions,
    copies,
    openActive: (options: Pick<ClusterActiveCatalogueOptions, 'own' | 'loadImage' | 'log'>) =>
      new ClusterActiveCatalogue({
        ...options,
        versions,
        copies,
        fetcher: new CopyFetcher({ versions, objects, copies, disk: openDisk(config) }),
      }),
    /** Throws an `OperatorError` if the file cannot be used, before any of it is sent. */
    async publish(request: Pick<PublishRequest, 'file' | 'sendAll' | 'onProgress'>) {
      const { info } = Catalogue.open(await loadCatalogueImage(request.file));
      await verifyFactsSections(request.file);
      return publishCatalogue({ ...request, info, objects, versions, nowMs });
    },
    removeOld: () => removeOldVersions({ versions, objects, nowMs }),
    async close() {
      clock.close();
      await pool.end();
    },
  };
}
