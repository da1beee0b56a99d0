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
      'Address of a PostgreSQL database, `postgres://user:password@host/name`. With it the service is one node of a cluster, and needs `LARDER_S3_…` and `LARDER_REDIS_URL` as well; without, everything lies in the data folder.',
    ),
    databaseListenUrl: optional(
      'LARDER_DATABASE_LISTEN_URL',
      serverAddress('postgres:', 'postgresql:'),
      'Address of the same database without a pooler in between, for the one connection of a node that listens to the others; unset, it is `LARDER_DATABASE_URL`.',
    ),
    databaseReplicaUrl: optional(
      'LARDER_DATABASE_REPLICA_URL',
      serverAddress('postgres:', 'postgresql:'),
      'Address of a streaming replica of the same database, which answers lists and sums of diaries as soon as it has all that was written before, as `LARDER_DATABASE_URL` would; unset, that answers them itself.',
    ),
    redisUrl: required(
      'LARDER_REDIS_URL',
      serverAddress('redis:', 'rediss:'),
      'Address of a Redis or Valkey, `redis://:password@host:6379`, in which all nodes count requests together.',
    ),
    s3SecretAccessKey: required(
      'LARDER_S3_SECRET_ACCESS_KEY',
      anyText,
      'Secret that requests to the object store are signed with.',
    ),
    storageEvents: optional(
      'LARDER_STORAGE_EVENTS_SECRET',
      sharedSecret,
      'Secret that the object store shows when it tells of uploads, as `Authorization: Bearer <secret>` to `/internal/storage-events`; at least 16 characters. Unset, that address is 404 and images are looked for. Of no use in a data folder.',
    ),
  },
  database: {
    connections: setting(
      'LARDER_DATABASE_CONNECTIONS',
      wholeNumber(1, 1_000),
      '20',
      'Connections to PostgreSQL that the API threads of one node open at most together, and as many to a replica; each thread has at least 3, one of them for looking up credentials alone. One more listens, one asks which catalogue is active, and a start takes 1 for a moment.',
    ),
    waitTimeoutMs: setting(
      'LARDER_DATABASE_WAIT_TIMEOUT_MS',
      wholeNumber(100, 60_000),
      '5000',
      'How long a request may wait for a connection, and a new one for PostgreSQL, before it is answered with 503.',
    ),
    statementTimeoutMs: setting(
      'LARDER_DATABASE_STATEMENT_TIMEOUT_MS',
      wholeNumber(100, 600_000),
      '10000',
      'How long PostgreSQL may take for one statement before it is cancelled and the request is answered with 503.',
    ),
    migrationTimeoutMs: setting(
      'LARDER_DATABASE_MIGRATION_TIMEOUT_MS',
      wholeNumber(1_000, 86_400_000),
      '1800000',
      'The same for the statements of a start, which bring tables up to date or wait for the node that does.',
    ),
  },
  s3: {
    endpoint: required(
      'LARDER_S3_ENDPOINT',
      webAddress,
      'Address of an S3-compatible object store without the bucket, for images and analyses.',
    ),
    bucket: required('LARDER_S3_BUCKET', bucketName, 'Bucket there, which has to exist.'),
    region: setting('LARDER_S3_REGION', nonEmpty, 'us-east-1', 'Region that requests to it are signed for.'),
    accessKeyId: required('LARDER_S3_ACCESS_KEY_ID', anyText, 'Key id that requests to it are signed with.'),
    addressing: setting(
      'LARDER_S3_ADDRESSING',
      oneOf(['path', 'host']),
      'path',
      'Where the bucket stands in addresses: `path` (`endpoint/bucket/key`) or `host` (`bucket.endpoint/key`).',
    ),
  },
  redisTimeoutMs: setting(
    'LARDER_REDIS_TIMEOUT_MS',
    wholeNumber(20, 60_000),
    '200',
    'How long Redis may owe every answer before this node counts requests for itself; requests wait that long at most.',
  ),
};
