import { createHmac, randomUUID } from 'node:crypto';
import { KeyStore } from '../access/key-store.ts';
import { SigningKeyStore } from '../access/tokens/signing-key-store.ts';
import { S3ObjectStore } from '../blobs/s3/object-store.ts';
import type { ClusterConfig } from '../config/config.ts';
import { SharedCounters } from '../counters/memory/counters.ts';
import { OutageFlag } from '../counters/memory/outage-flag.ts';
import { RedisCounters } from '../counters/redis/counters.ts';
import { ChangeHints } from '../db/change-hints.ts';
import { CHANGES_CHANNEL, ChangeNotices, receiveNotice } from '../db/postgres/change-notices.ts';
import { toSql } from '../db/postgres/database.ts';
import { openSharedClock } from '../db/postgres/database-clock.ts';
import type { DatabaseLimits } from '../db/postgres/database-connection.ts';
import { CUSTOM_FOODS_CHANNEL, DatabaseListener } from '../db/postgres/database-listener.ts';
import { DatabasePool } from '../db/postgres/database-pool.ts';
import { SchemaWatch } from '../db/postgres/schema-watch.ts';
import type { MigrationLog } from '../db/schema/steps.ts';
import { SealedSecrets } from '../db/sealed-secrets.ts';
import { DiaryStore } from '../diary/store/diary-store.ts';
import { CustomFoodStore } from '../foods/custom/custom-food-store.ts';
import { CATALOGUES_CHANNEL } from '../foods/published/catalogue-versions.ts';
import { IdempotencyStore } from '../idempotency/idempotency-store.ts';
import { ScanStore } from '../scan/jobs/scan-store.ts';
import { UploadEvents } from '../scan/jobs/upload-events.ts';
import {
  NotifyingScanSignals,
  parseScanSignal,
  SCANS_CHANNEL,
} from '../scan/signals/notifying-scan-signals.ts';
import { ThreadScanSignals } from '../scan/signals/thread-scan-signals.ts';
import type {
  DatabaseOptions,
  Engine,
  EngineOptions,
  OpenDatabase,
  ProcessWork,
  ProcessWorkOptions,
  ScanEngine,
} from './backend.ts';
import { reportLost, sealSecrets } from './seal-secrets.ts';

// Adapters of one node of a cluster, over PostgreSQL, S3 and Redis.

/** Two connections for queries, so that a thread can send another query while it waits, and one for key look-ups. */
const MIN_THREAD_CONNECTIONS = 3;
/** Connections of a thread that only look up credentials. */
const ACCESS_CONNECTIONS = 1;
/** Maximum time of a credential look-up. */
const ACCESS_TIMEOUT_MS = 2_000;
/** Connections for scan work, for any number of concurrent images. */
const SCAN_CONNECTIONS = 4;

/** Imported here, because the threads of a service do not need migrations. */
async function bringUpToDate(config: ClusterConfig, log?: MigrationLog): Promise<void> {
  const { migrate } = await import('../db/postgres/migrate.ts');
  await migrate(config, log);
}

export async function openClusterDatabase(
  config: ClusterConfig,
  { log, ...pool }: DatabaseOptions = {},
): Promise<OpenDatabase> {
  await bringUpToDate(config, log);
  const { database: limits, secrets } = config;
  const connections = new DatabasePool({ url: secrets.databaseUrl, limits, ...pool });
  const clock = await openSharedClock(connections, undefined);
  return {
    ...toSql(connections),
    secrets: sealingOf(config),
    nowMs: clock.nowMs,
    async close() {
      clock.close();
      await connections.end();
    },
  };
}

/** Migrates the tables, and subscribes to writes of other nodes. */
export async function startClusterWork(
  config: ClusterConfig,
  { memory, log, onActivation }: ProcessWorkOptions,
): Promise<ProcessWork> {
  const database = await openClusterDatabase(config, { log });
  reportLost(await sealSecrets(database), log);
  await database.close();
  const hints = new ChangeHints({ memory: memory.changeHints });
  const node = ThreadScanSignals.open({ name: SCANS_CHANNEL });
  const listener = new DatabaseListener({
    url: config.secrets.databaseListenUrl,
    channels: {
      [CUSTOM_FOODS_CHANNEL]: (tenant) => hints.raise({ tenant, userId: '' }),
      [CHANGES_CHANNEL]: (payload) => receiveNotice(payload, hints),
      [SCANS_CHANNEL]: (payload) => node.announce(parseScanSignal(payload)),
      ...(onActivation !== undefined && { [CATALOGUES_CHANNEL]: onActivation }),
    },
    onListening: () => log.info('listening for writes of other nodes'),
    onCut: (cause) =>
      log.warn(
        { reason: cause.message, setting: 'LARDER_DATABASE_LISTEN_URL' },
        'polling for writes of other nodes, because listening is impossible',
      ),
  });
  await listener.open();
  warnOfBucket(config, log);
  return {
    connect: () => undefined,
    async close() {
      await listener.close();
      node.close();
    },
  };
}

/** Nothing waits for it: a node serves searches and diaries without the object store. */
function warnOfBucket(config: ClusterConfig, log: ProcessWorkOptions['log']): void {
  const { bucket, endpoint } = config.s3;
  openObjects(config, Date.now)
    .list({ prefix: 'images/', limit: 1 })
    .catch(({ message }: Error) =>
      log.warn(
        { bucket, endpoint, setting: 'LARDER_S3_BUCKET' },
        `photos wait, since the bucket cannot be used: ${message}`,
      ),
    );
}

/** Opens the engine. The database schema must be current; Redis may be unavailable. */
export async function openClusterEngine(config: ClusterConfig, parts: EngineOptions): Promise<Engine> {
  const { apiThreads, database: limits, secrets } = config;
  const connections = Math.max(MIN_THREAD_CONNECTIONS, Math.floor(limits.connections / apiThreads));
  const url = secrets.databaseUrl;
  const pool = new DatabasePool({ url, connections: connections - ACCESS_CONNECTIONS, limits });
  const notices = new ChangeNotices({
    hints: new ChangeHints({ memory: parts.memory.changeHints }),
    notify: (channel, payload) => pool.notify(channel, payload),
    onError: (err) => parts.log.warn({ err }, 'other nodes were not notified of a change'),
  });
  const sql = { ...toSql(pool, notices), secrets: sealingOf(config) };
  const accessPool = new DatabasePool({ url, connections: ACCESS_CONNECTIONS, limits: accessLimits(limits) });
  const access = { ...toSql(accessPool), secrets: sql.secrets };
  const { counters, ownCounters, sharedLimits } = openCounters(config, parts);
  const clock = await openSharedClock(pool, parts.thread === 0 ? parts.log : undefined);
  const { nowMs } = clock;
  const objects = openObjects(config, nowMs);
  const scans = new ScanStore(sql);
  const { node, scanSignals } = openScanSignals(pool, parts.log);
  await counters.connect();
  const schema = new SchemaWatch(accessPool);
  return {
    sql,
    keys: new KeyStore(sql),
    keyLookUps: new KeyStore(access),
    signingKeys: new SigningKeyStore(access),
    idempotencyStore: new IdempotencyStore({ ...sql, createClaimId: randomUUID }),
    customFoods: new CustomFoodStore(sql),
    diary: new DiaryStore({ ...sql, maxNewEntries: config.newEntriesPerUser }),
    objects,
    scans,
    scanSignals,
    uploadEvents: new UploadEvents({ store: scans, objects, signals: scanSignals, nowMs }),
    // All nodes have this secret. A derived key for each purpose cannot be used for another purpose.
    ticketSecret: createHmac('sha256', secrets.s3SecretAccessKey).update('tickets of scan streams').digest(),
    nowMs,
    counters,
    ownCounters,
    sharedLimits,
    databaseLoad: { pools: [pool, accessPool], clock },
    fitsTables: () => schema.fits(),
    async close() {
      clock.close();
      node.close();
      counters.close();
      await notices.send();
      await Promise.all([pool.end(), accessPool.end()]);
    },
  };
}

/** All nodes have the secret of the object store, from which others are derived unless they are set. */
function sealingOf({ sealing, secrets }: ClusterConfig): SealedSecrets {
  const { current, previous } = sealing.secrets;
  const all = [current, previous, `sealing by ${secrets.s3SecretAccessKey}`];
  return new SealedSecrets(all.filter((secret) => secret !== undefined));
}

/** Needs a database with the current schema. */
export async function openClusterScanEngine(
  config: ClusterConfig,
  { memory, log }: Pick<EngineOptions, 'memory' | 'log'>,
): Promise<ScanEngine> {
  const { database: limits, secrets } = config;
  const pool = new DatabasePool({ url: secrets.databaseUrl, connections: SCAN_CONNECTIONS, limits });
  const sql = { ...toSql(pool, new ChangeHints({ memory: memory.changeHints })), secrets: sealingOf(config) };
  const clock = await openSharedClock(pool, log);
  const { nowMs } = clock;
  const objects = openObjects(config, nowMs);
  const scans = new ScanStore(sql);
  const { node, scanSignals } = openScanSignals(pool, log);
  return {
    sql,
    customFoods: new CustomFoodStore(sql),
    objects,
    scans,
    scanSignals,
    uploadEvents: new UploadEvents({ store: scans, objects, signals: scanSignals, nowMs }),
    nowMs,
    async close() {
      clock.close();
      node.close();
      await pool.end();
    },
  };
}

function accessLimits({ waitTimeoutMs, statementTimeoutMs }: DatabaseLimits): DatabaseLimits {
  return {
    waitTimeoutMs: Math.min(waitTimeoutMs, ACCESS_TIMEOUT_MS),
    statementTimeoutMs: Math.min(statementTimeoutMs, ACCESS_TIMEOUT_MS),
  };
}

function openObjects({ s3, secrets }: ClusterConfig, nowMs: () => number): S3ObjectStore {
  return new S3ObjectStore({ ...s3, secretAccessKey: secrets.s3SecretAccessKey, nowMs });
}

function openScanSignals(pool: DatabasePool, log: EngineOptions['log']) {
  const node = ThreadScanSignals.open({ name: SCANS_CHANNEL });
  const scanSignals = new NotifyingScanSignals({
    notify: (channel, payload) => pool.notify(channel, payload),
    node,
    onError: (err) => log.warn({ err }, 'other nodes were not notified of a scan'),
  });
  return { node, scanSignals };
}

function openCounters({ secrets, redisTimeoutMs }: ClusterConfig, { memory, thread, log }: EngineOptions) {
  const outage = new OutageFlag({ memory: memory.limitsOutage });
  const ownCounters = new SharedCounters({ memory: memory.limits });
  const counters = new RedisCounters({
    url: secrets.redisUrl,
    timeoutMs: redisTimeoutMs,
    local: ownCounters,
    onChange: (countedBy, cause) => {
      if (!outage.set(thread, countedBy === 'node')) return;
      if (countedBy === 'cluster') log.info('Redis is back, limits are counted by all nodes together');
      else log.warn({ reason: cause?.message }, 'Redis is unavailable, this node counts limits itself');
    },
  });
  const sharedLimits = {
    get countedBy() {
      return outage.isOutage ? ('node' as const) : ('cluster' as const);
    },
    get countedAlone() {
      return counters.countedAlone;
    },
  };
  return { counters, ownCounters, sharedLimits };
}
