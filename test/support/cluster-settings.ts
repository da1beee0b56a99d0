import { Redis } from 'ioredis';
import { inject } from 'vitest';
import { S3Bucket } from '../../src/blobs/s3/bucket.ts';
import { createDatabase } from './postgres-server.ts';
import { REDIS_DATABASES } from './start-cluster.ts';
import { SWIFT_ACCESS } from './swift.ts';

/**
 * Settings of a new cluster in the project `cluster`; none in others. Servers with the same settings are
 * nodes of one cluster.
 */
export async function clusterSettings(): Promise<Record<string, string>> {
  const servers = inject('cluster');
  if (servers === undefined) return {};
  const { postgres, template, redisPort, s3Endpoint } = servers;
  const number = await takeNumber(redisPort);
  const bucket = `larder-${number}`;
  const location = {
    ...SWIFT_ACCESS,
    endpoint: s3Endpoint,
    bucket,
    addressing: 'path',
    nowMs: Date.now,
  } as const;
  await new S3Bucket(location).send('PUT', '');
  return {
    LARDER_DATABASE_URL: await createDatabase(postgres, template),
    LARDER_REDIS_URL: `redis://127.0.0.1:${redisPort}/${1 + (number % (REDIS_DATABASES - 1))}`,
    // On a busy machine Redis may be slow without an outage.
    LARDER_REDIS_TIMEOUT_MS: '60000',
    LARDER_S3_ENDPOINT: s3Endpoint,
    LARDER_S3_BUCKET: bucket,
    LARDER_S3_ACCESS_KEY_ID: SWIFT_ACCESS.accessKeyId,
    LARDER_S3_SECRET_ACCESS_KEY: SWIFT_ACCESS.secretAccessKey,
  };
}

/** A different number for each server of all test processes. */
async function takeNumber(redisPort: number): Promise<number> {
  const redis = new Redis(redisPort, '127.0.0.1');
  try {
    return await redis.incr('servers');
  } finally {
    redis.disconnect();
  }
}
