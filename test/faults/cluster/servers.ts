import { S3Bucket } from '../../../src/blobs/s3/bucket.ts';
import { freePort } from '../../support/free-port.ts';
import { createDatabase, startPostgres, stopPostgres } from '../../support/postgres-server.ts';
import { killRedis, startRedis } from '../../support/redis-server.ts';
import { SWIFT_ACCESS, startSwift, whyNoSwift } from '../../support/swift.ts';
import { CuttableLink } from './cuttable-link.ts';
import { FaultyStore } from './faulty-store.ts';

const BUCKET = 'larder';

/** The servers of a cluster, each of which can be made to fail. */
export interface Servers extends AsyncDisposable {
  /** The folder of PostgreSQL, which syncs to disk. */
  readonly postgres: string;
  readonly databaseUrl: string;
  readonly redis: CuttableLink;
  readonly store: FaultyStore;
  /** Settings of processes that use these servers. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Throws if one of them is not installed and cannot be. */
export async function openServers(): Promise<Servers> {
  const missing = whyNoSwift();
  if (missing !== undefined) throw new Error(missing);
  await using opened = new AsyncDisposableStack();
  const postgres = opened.adopt(startPostgres({ isDurable: true }), stopPostgres);
  const redisPort = await freePort();
  opened.adopt(await startRedis(redisPort), killRedis);
  const redis = opened.use(await CuttableLink.open(redisPort));
  const swift = opened.adopt(await startSwift(), (swift) => swift.close());
  const store = opened.use(await FaultyStore.open(swift.endpoint));
  await createBucket(store.url);
  const databaseUrl = await createDatabase(postgres);
  const all = opened.move();
  return {
    postgres,
    databaseUrl,
    redis,
    store,
    settings: {
      LARDER_DATABASE_URL: databaseUrl,
      LARDER_REDIS_URL: `redis://127.0.0.1:${redis.port}`,
      LARDER_S3_ENDPOINT: store.url,
      LARDER_S3_BUCKET: BUCKET,
      LARDER_S3_ACCESS_KEY_ID: SWIFT_ACCESS.accessKeyId,
      LARDER_S3_SECRET_ACCESS_KEY: SWIFT_ACCESS.secretAccessKey,
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function createBucket(endpoint: string): Promise<void> {
  const location = {
    ...SWIFT_ACCESS,
    endpoint,
    bucket: BUCKET,
    addressing: 'path',
    nowMs: Date.now,
  } as const;
  await new S3Bucket(location).send('PUT', '');
}
