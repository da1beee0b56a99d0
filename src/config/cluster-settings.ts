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

/** What makes a process one node of a cluster. */
export const CLUSTER = {
  secrets: {
    databaseUrl: required(
      'LARDER_DATABASE_URL',
      serverAddress('postgres:', 'postgresql:'),
      'Address of a PostgreSQL database, `postgres://user:password@host/name`.',
    ),
    databaseListenUrl: optional(
      'LARDER_DATABASE_LISTEN_URL',
      serverAddress('postgres:', 'postgresql:'),
      'Address of the same database without a pooler, for one listening connection of a node; unset, `LARDER_DATABASE_URL`.',
    ),
    databaseReplicaUrl: optional(
      'LARDER_DATABASE_REPLICA_URL',
      serverAddress('postgres:', 'postgresql:'),
      'Address of a streaming replica of the same database, for lists and sums of diaries.',
    ),
    redisUrl: required(
      'LARDER_REDIS_URL',
      serverAddress('redis:', 'rediss:'),
      'Address of a Redis or Valkey, `redis://:password@host:6379`, in which nodes count requests.',
    ),
    s3SecretAccessKey: required('LARDER_S3_SECRET_ACCESS_KEY', anyText, 'Secret for the object store.'),
    storageEvents: optional(
      'LARDER_STORAGE_EVENTS_SECRET',
      sharedSecret,
      "Secret of the object store's upload events, at least 16 characters: `Authorization: Bearer <secret>` to `/internal/storage-events`. Unset, that address is 404 and nodes look for images. Not used with a data folder.",
    ),
  },
  database: {
    connections: setting(
      'LARDER_DATABASE_CONNECTIONS',
      wholeNumber(1, 1_000),
      '20',
      'Connections to PostgreSQL of all API threads of a node, and as many to a replica; each thread has at least 3, one for credentials alone.',
    ),
    waitTimeoutMs: setting(
      'LARDER_DATABASE_WAIT_TIMEOUT_MS',
      wholeNumber(100, 60_000),
      '5000',
      'Longest wait of a request for a connection, or of a new connection for PostgreSQL; then 503.',
    ),
    statementTimeoutMs: setting(
      'LARDER_DATABASE_STATEMENT_TIMEOUT_MS',
      wholeNumber(100, 600_000),
      '10000',
      'Limit for one statement; then it is cancelled and the request gets 503.',
    ),
    migrationTimeoutMs: setting(
      'LARDER_DATABASE_MIGRATION_TIMEOUT_MS',
      wholeNumber(1_000, 86_400_000),
      '1800000',
      'The same for statements at start, which upgrade tables or wait for the node that does.',
    ),
  },
  s3: {
    endpoint: required(
      'LARDER_S3_ENDPOINT',
      webAddress,
      'Address of an S3-compatible object store, without the bucket.',
    ),
    bucket: required('LARDER_S3_BUCKET', bucketName, 'Bucket, which has to exist.'),
    region: setting('LARDER_S3_REGION', nonEmpty, 'us-east-1', 'Its region.'),
    accessKeyId: required('LARDER_S3_ACCESS_KEY_ID', anyText, 'Key id for the object store.'),
    addressing: setting(
      'LARDER_S3_ADDRESSING',
      oneOf(['path', 'host']),
      'path',
      'Place of the bucket in addresses: `path` (`endpoint/bucket/key`) or `host` (`bucket.endpoint/key`).',
    ),
  },
  redisTimeoutMs: setting(
    'LARDER_REDIS_TIMEOUT_MS',
    wholeNumber(20, 60_000),
    '200',
    'Time without an answer of Redis after which the node counts requests for itself; requests wait at most as long.',
  ),
};
