import {
  anyText,
  bucketName,
  nonEmpty,
  oneOf,
  serverAddress,
  sharedSecret,
  webAddress,
  wholeNumber,
} from './schemas.ts';
import { optional, required, setting } from './setting.ts';

/** The settings of a cluster node. */
export const CLUSTER = {
  secrets: {
    databaseUrl: required(
      'LARDER_DATABASE_URL',
      serverAddress('postgres:', 'postgresql:'),
      'PostgreSQL, `postgres://user:password@host/name`.',
    ),
    databaseListenUrl: optional(
      'LARDER_DATABASE_LISTEN_URL',
      serverAddress('postgres:', 'postgresql:'),
      'The same database [without a pooler](cluster.md#pgbouncer).',
    ),
    redisUrl: required(
      'LARDER_REDIS_URL',
      serverAddress('redis:', 'rediss:'),
      'Redis or Valkey, `redis://:password@host:6379`.',
    ),
    s3SecretAccessKey: required('LARDER_S3_SECRET_ACCESS_KEY', anyText, 'Secret for the object store.'),
    storageEvents: optional(
      'LARDER_STORAGE_EVENTS_SECRET',
      sharedSecret,
      'Secret of [upload events](cluster.md#upload-events), at least 16 characters.',
    ),
  },
  database: {
    connections: setting(
      'LARDER_DATABASE_CONNECTIONS',
      wholeNumber(1, 1_000),
      '20',
      'Connections of a node; at least 3 an API thread.',
    ),
    waitTimeoutMs: setting(
      'LARDER_DATABASE_WAIT_TIMEOUT_MS',
      wholeNumber(100, 60_000),
      '5000',
      'Longest wait for a connection; then 503.',
    ),
    statementTimeoutMs: setting(
      'LARDER_DATABASE_STATEMENT_TIMEOUT_MS',
      wholeNumber(100, 600_000),
      '10000',
      'Limit of one statement; then 503.',
    ),
    migrationTimeoutMs: setting(
      'LARDER_DATABASE_MIGRATION_TIMEOUT_MS',
      wholeNumber(1_000, 86_400_000),
      '1800000',
      'Limit of a statement that upgrades tables, or waits for that.',
    ),
  },
  s3: {
    endpoint: required('LARDER_S3_ENDPOINT', webAddress, 'S3-compatible object store, without the bucket.'),
    bucket: required('LARDER_S3_BUCKET', bucketName, 'Bucket, which has to exist.'),
    region: setting('LARDER_S3_REGION', nonEmpty, 'us-east-1', 'Its region.'),
    accessKeyId: required('LARDER_S3_ACCESS_KEY_ID', anyText, 'Key id for the object store.'),
    addressing: setting(
      'LARDER_S3_ADDRESSING',
      oneOf(['path', 'host']),
      'path',
      '`path` (`endpoint/bucket/key`) or `host` (`bucket.endpoint/key`).',
    ),
  },
  redisTimeoutMs: setting(
    'LARDER_REDIS_TIMEOUT_MS',
    wholeNumber(20, 60_000),
    '200',
    'Silence of Redis after which a node counts requests for itself.',
  ),
};
