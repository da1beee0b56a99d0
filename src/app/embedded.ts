import { randomBytes, randomUUID } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import { KeyStore } from '../access/key-store.ts';
import { SigningKeyStore } from '../access/tokens/signing-key-store.ts';
import { ensureObjectSecret, FolderObjectStore } from '../blobs/folder/object-store.ts';
import { UrlSigner } from '../blobs/signed-url.ts';
import { SignedUrlAccess } from '../blobs/signed-url-access.ts';
import type { Config } from '../config/config.ts';
import { SharedCounters } from '../counters/memory/counters.ts';
import { SharedUploadSlots } from '../counters/memory/shared-upload-slots.ts';
import { ChangeHints } from '../db/change-hints.ts';
import { DAMAGE_ADVICE, DamageFlag } from '../db/damage-flag.ts';
import { SQLITE } from '../db/dialect.ts';
import { ThreadReads } from '../db/sqlite/reads.ts';
import { openSecrets } from '../db/sqlite/secret-file.ts';
import { DatabaseWriter } from '../db/sqlite/writer.ts';
import { WriterClient } from '../db/sqlite/writer-client.ts';
import { CustomFoodStore } from '../foods/custom/custom-food-store.ts';
import { IdempotencyStore } from '../idempotency/idempotency-store.ts';
import { ScanStore } from '../scan/jobs/scan-store.ts';
import { UploadEvents } from '../scan/jobs/upload-events.ts';
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
import { databaseFile, openDisk } from './data-folder.ts';
import { reportLost, sealSecrets } from './seal-secrets.ts';

// Adapters of one process over a data folder: SQLite, files and shared memory.

/** Time for which a process may take to end after it has finished its requests. */
const TAKE_OVER_MS = 2_000;

export async function openEmbeddedDatabase(
  config: Config,
  { log }: Pick<DatabaseOptions, 'log'> = {},
): Promise<OpenDatabase> {
  // Imported here, because the threads of a service do not need migrations.
  const { openDatabase } = await import('../db/sqlite/database.ts');
  return {
    ...(await openDatabase({
      file: databaseFile(config),
      secrets: config.sealing.secrets,
      ...(log && { log }),
    })),
    nowMs: Date.now,
  };
}

/** The only writer of the database. Throws an `OperatorError` if another process writes to it. */
export async function startEmbeddedWork(
  config: Config,
  { memory, log, onFailure, signal }: ProcessWorkOptions,
): Promise<ProcessWork> {
  // Creates and migrates the tables, which the writer expects to be there.
  const database = await openEmbeddedDatabase(config, { log });
  reportLost(await sealSecrets(database), log);
  await database.close();
  const { dataDir, shutdownTimeoutMs } = config;
  const writer = await DatabaseWriter.start({
    file: databaseFile(config),
    changeHints: memory.changeHints,
    onFailure,
    // A process that was told to stop has ended by then.
    lockWaitMs: shutdownTimeoutMs + TAKE_OVER_MS,
    ...(signal && { signal }),
    onWait: (holderPid) =>
      log.warn({ dataDir, holderPid }, 'another process serves this data folder; waiting for it to end'),
    onTraces: (reason) =>
      log.warn({ reason }, 'the database could not be rewritten after an erasure; it is tried again'),
  });
  // The lock that is held from here on excludes other processes from the folder.
  try {
    await FolderObjectStore.removeUploads(dataDir);
  } catch (error) {
    await writer.close();
    throw error;
  }
  return writer;
}

/** All writes of a service's thread go to the single writer, reads directly to the database. */
async function openThreadDatabase(
  config: Config,
  port: MessagePort,
  { log, damage }: Partial<Pick<EngineOptions, 'log'>> & { readonly damage?: SharedArrayBuffer } = {},
) {
  const flag = damage && new DamageFlag({ memory: damage });
  const onDamage = (err: Error) => {
    if (flag?.set()) log?.error({ err }, `the database is damaged. ${DAMAGE_ADVICE}`);
  };
  const reads = ThreadReads.open({ file: databaseFile(config), onDamage });
  const writer = new WriterClient({
    port,
    onDamage,
    onChange(trouble) {
      if (trouble === undefined) log?.info('the database is writable again');
      else log?.error({ reason: trouble }, 'the database cannot be written; is there space on its disk?');
    },
  });
  return {
    db: reads,
    writer,
    dialect: SQLITE,
    secrets: await openSecrets(config.dataDir, config.sealing.secrets),
    async close() {
      writer.close();
      reads.close();
    },
  };
}

/** `port` connects to the writer. */
export async function openEmbeddedEngine(
  config: Config,
  { thread, memory, port, log }: EngineOptions,
): Promise<Engine> {
  const { dataDir } = config;
  // The main thread does not need it.
  const { DiaryStore } = await import('../diary/store/diary-store.ts');
  const database = await openThreadDatabase(config, port!, { log, damage: memory.damage });
  const secret = await ensureObjectSecret(dataDir, randomBytes);
  const signer = new UrlSigner({ secret });
  const disk = openDisk(config);
  const objects = await FolderObjectStore.open({ dataDir, signer, disk, thread, nowMs: Date.now });
  const scans = new ScanStore(database);
  const scanSignals = ThreadScanSignals.open({ name: dataDir });
  const uploadEvents = new UploadEvents({ store: scans, objects, signals: scanSignals, nowMs: Date.now });
  const counters = new SharedCounters({ memory: memory.limits });
  const keys = new KeyStore(database);
  return {
    sql: database,
    keys,
    keyLookUps: keys,
    signingKeys: new SigningKeyStore(database),
    idempotencyStore: new IdempotencyStore({ ...database, createClaimId: randomUUID }),
    customFoods: new CustomFoodStore(database),
    diary: new DiaryStore({
      ...database,
      hints: new ChangeHints({ memory: memory.changeHints }),
      maxNewEntries: config.newEntriesPerUser,
    }),
    objects,
    scans,
    scanSignals,
    uploadEvents,
    ticketSecret: secret,
    signedUrlAccess: new SignedUrlAccess({
      signer,
      store: objects,
      slots: new SharedUploadSlots({ memory: memory.uploads, limit: config.uploads, thread }),
      disk,
      nowMs: Date.now,
      uploads: uploadEvents,
      onUntold: (err, key) => log.error({ err, key }, 'an upload could not be processed at once'),
    }),
    nowMs: Date.now,
    counters,
    ownCounters: counters,
    async close() {
      scanSignals.close();
      await database.close();
    },
  };
}

/** Opens the scan stores; without a port it writes to the database itself, concurrently with the service's process. */
export async function openEmbeddedScanEngine(
  config: Config,
  { port }: Pick<EngineOptions, 'port'>,
): Promise<ScanEngine> {
  const { dataDir } = config;
  const database = port ? await openThreadDatabase(config, port) : await openEmbeddedDatabase(config);
  const signer = new UrlSigner({ secret: await ensureObjectSecret(dataDir, randomBytes) });
  const disk = openDisk(config);
  const objects = await FolderObjectStore.open({ dataDir, signer, disk, nowMs: Date.now });
  const scans = new ScanStore(database);
  const scanSignals = ThreadScanSignals.open({ name: dataDir });
  return {
    sql: database,
    customFoods: new CustomFoodStore(database),
    objects,
    scans,
    scanSignals,
    uploadEvents: new UploadEvents({ store: scans, objects, signals: scanSignals, nowMs: Date.now }),
    nowMs: Date.now,
    async close() {
      scanSignals.close();
      await database.close();
    },
  };
}
