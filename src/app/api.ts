import { createHmac, randomBytes } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import type { Logger } from 'pino';
import { isLiveCredential } from '../access/live-credentials.ts';
import { SecurityEventStore } from '../access/security-event-store.ts';
import { EventStreams } from '../api/event-streams.ts';
import type { Log } from '../base/log.ts';
import { pooled } from '../base/time-ordered-id.ts';
import { ChangeLog } from '../changes/change-log.ts';
import { ChangeWatch } from '../changes/change-watch.ts';
import { DeletionSweeper } from '../changes/deletion-sweeper.ts';
import { readEpoch } from '../changes/epoch.ts';
import type { Config } from '../config/config.ts';
import { ChangeHints } from '../db/change-hints.ts';
import { DamageFlag } from '../db/damage-flag.ts';
import { Diary } from '../diary/diary.ts';
import { FeedPages } from '../diary/feed/feed-pages.ts';
import { FeedTickets } from '../diary/feed/feed-tickets.ts';
import { UserFeed } from '../diary/feed/user-feed.ts';
import { FrequentFavourites } from '../diary/frequent-favourites.ts';
import { GoalBook } from '../diary/goal-book.ts';
import { MeasurementBook } from '../diary/measurement-book.ts';
import { RecipeBook } from '../diary/recipe-book.ts';
import { RecordBook } from '../diary/record-book.ts';
import type { ScanLookup } from '../diary/scanned-portions.ts';
import type { DiaryStore } from '../diary/store/diary-store.ts';
import type { CurrentCatalogue, FoodDirectory } from '../foods/visible-foods.ts';
import { DatabaseProbe } from '../http/service/database-probe.ts';
import type { StorageEvents } from '../http/service/receive-storage-event.ts';
import { StoredResponseSweeper } from '../idempotency/stored-response-sweeper.ts';
import { UserImports } from '../own-data/user-imports.ts';
import { HOUSEHOLD } from '../people/person.ts';
import { ScanFeed } from '../scan/jobs/scan-feed.ts';
import { ScanOverview } from '../scan/jobs/scan-overview.ts';
import { Scans } from '../scan/jobs/scans.ts';
import { UploadDetector } from '../scan/jobs/upload-detection.ts';
import { createAccess } from './access.ts';
import type { Engine } from './backend.ts';
import { MEGABYTE, openDisk } from './data-folder.ts';
import { openFoods } from './foods.ts';
import { openPageFiles } from './installation/page-folder.ts';
import { findScanPackages } from './installation/scan-packages.ts';
import { openEngine } from './open-backend.ts';
import { openOperator } from './operator/open-operator.ts';
import type { OperatorStatusPorts } from './operator/status.ts';
import { createPeople, startEraser } from './people.ts';
import { FileReaders } from './processes/file-readers.ts';
import type { SharedMemory } from './shared-memory.ts';
import { createWebhooks } from './webhooks.ts';

type ScanEngine = Pick<
  Engine,
  'scans' | 'objects' | 'scanSignals' | 'uploadEvents' | 'ticketSecret' | 'signedUrlAccess' | 'nowMs'
>;

/** During an outage of the object store, look-ups of images fail repeatedly; this limits their log lines. */
const FAILED_LOOKS_LOGGED_EVERY_MS = 10_000;

/** Creates the scans of one API thread and their feed. */
function createScans(engine: ScanEngine, config: Config, log: Log) {
  const { scans: store, objects, scanSignals: signals, uploadEvents, ticketSecret, signedUrlAccess } = engine;
  const { imageMb, ...limits } = config.scanLimits;
  const uploadDetector = signedUrlAccess === undefined ? openUploadDetector(uploadEvents, log) : undefined;
  const scans = new Scans({
    store,
    objects,
    signals,
    uploadEvents,
    uploadDetector,
    ticketSecret,
    limits: { ...limits, imageBytes: imageMb * MEGABYTE },
    disk: signedUrlAccess && openDisk(config),
    unavailable: reasonAgainstScans(config),
    nowMs: engine.nowMs,
    randomBytes,
  });
  const scanFeed = new ScanFeed({
    store,
    signals,
    lookFor: (scan) => void uploadDetector?.lookFor(scan),
    onError: (err) => log.error({ err }, 'watched scans could not be read'),
  });
  return { scans, scanFeed };
}

/** Without own workers, other processes analyse the images, and their recognizers are unknown here. */
function reasonAgainstScans(config: Config): string | undefined {
  const packages = findScanPackages(config);
  if (config.scanWorkers === 0 || packages.canOpenPhotos) return undefined;
  return 'Photos cannot be scanned: this service is installed without the packages for that. Its operator finds in the log which ones.';
}

function openUploadDetector(uploadEvents: Engine['uploadEvents'], log: Log): UploadDetector {
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  return new UploadDetector({
    look: (scan) => uploadEvents.look(scan),
    onFailure: (err) => {
      if (Date.now() - loggedAtMs < FAILED_LOOKS_LOGGED_EVERY_MS) return;
      loggedAtMs = Date.now();
      log.error({ err }, 'uploads could not be looked up');
    },
    nowMs: Date.now,
  });
}

/** Maximum delay of a change that another node wrote and whose hint was lost. */
const POLL_MS = 1_000;
/** Poll interval if one process writes everything, so that no hint is lost. */
const TOLD_POLL_MS = 10_000;

interface FeedsOptions {
  readonly engine: Engine;
  /** `SharedMemory.changeHints`. */
  readonly memory: SharedArrayBuffer;
  /** Whether all writes increment the hints in `memory`, as in an embedded service. */
  readonly isTold: boolean;
  readonly log: Pick<Logger, 'error'>;
}

/** The feeds of users on one API thread. */
function createFeeds({ engine, memory, isTold, log }: FeedsOptions) {
  const { sql, diary: diaries, customFoods: foods } = engine;
  const watch = new ChangeWatch({
    db: sql.db,
    hints: new ChangeHints({ memory }),
    pollMs: isTold ? TOLD_POLL_MS : POLL_MS,
    onError: (err) => log.error({ err }, 'watched changes could not be read'),
  });
  const feed = new UserFeed({ log: new ChangeLog(sql), diaries, foods });
  const secret = createHmac('sha256', engine.ticketSecret).update('tickets of changes').digest();
  return {
    feedTickets: new FeedTickets({
      secret,
      isLive: (credential, nowMs) => isLiveCredential(sql.db, credential, nowMs),
      nowMs: engine.nowMs,
    }),
    feeds: new FeedPages({ feed, watch, readEpoch: () => readEpoch(sql) }),
    closeFeeds: () => watch.close(),
  };
}

function startDeletionSweeper({ sql, nowMs }: Engine, log: Pick<Logger, 'warn'>): DeletionSweeper {
  const onError = (err: unknown) => log.warn({ err }, 'expired deletions could not be removed');
  const sweeper = new DeletionSweeper({ ...sql, nowMs, onError });
  sweeper.start();
  return sweeper;
}

interface DiaryOptions {
  readonly store: DiaryStore;
  readonly foods: FoodDirectory;
  readonly scans: ScanLookup;
  readonly nowMs: () => number;
}

function createDiary({ store, foods, scans, nowMs }: DiaryOptions) {
  const ports = { store, foods, scans, nowMs, randomBytes: pooled(randomBytes) };
  return {
    diary: new Diary(ports),
    recipes: new RecipeBook(ports),
    goals: new GoalBook(ports),
    measurements: new MeasurementBook(ports),
    records: new RecordBook(ports),
  };
}

export interface ApiOptions {
  readonly config: Config;
  /** 0 for the first of the process. */
  readonly thread: number;
  readonly memory: SharedMemory;
  /** The port from `SharedWork.connect`. */
  readonly port: MessagePort | undefined;
  readonly catalogue: CurrentCatalogue;
  readonly log: Logger;
  /** The clock by which credentials expire, in Unix milliseconds. */
  readonly nowMs?: () => number;
}

/** All dependencies of the operations and the guard of one API thread. Close it when the thread ends. */
export async function openApi({ config, thread, memory, port, catalogue, log, nowMs }: ApiOptions) {
  const engine = await openEngine(config, { thread, memory, port, log });
  const { keys, tenants, checkDatabase, tokens, signingKeys, ...guard } = createAccess(config, engine, nowMs);
  const probe = new DatabaseProbe({ check: checkDatabase, nowMs: Date.now });
  const { customFoods: store, diary: diaries, nowMs: sharedNowMs } = engine;
  const foods = await openFoods({
    config,
    store,
    memory: memory.changeHints,
    isTold: port !== undefined,
    catalogue,
    recipes: { db: engine.sql.db, store: diaries.recipes },
    favourites: new FrequentFavourites({ store: diaries }),
    nowMs: sharedNowMs,
    log,
  });
  const { scans, scanFeed } = createScans(engine, config, log);
  const webhooks = createWebhooks(engine, config);
  const streams = new EventStreams({ log });
  const { feeds, feedTickets, closeFeeds } = createFeeds({
    engine,
    memory: memory.changeHints,
    isTold: port !== undefined,
    log,
  });
  const { diary, recipes, goals, measurements, records } = createDiary({
    store: diaries,
    foods: foods.completeDirectory,
    scans,
    nowMs: sharedNowMs,
  });
  const { people, ownKeys, sessions, household, openId, confirmation, passkeys } = createPeople(
    config,
    engine,
    {
      limiter: guard.limiter,
      nowMs,
      log,
      async erase(userId) {
        const owner = { tenant: HOUSEHOLD, userId };
        await scans.removeAllOf(owner);
        await diary.eraseUser(owner);
      },
    },
  );
  const fileReaders = new FileReaders();
  const imports = new UserImports({
    store: diaries,
    customFoods: foods.writer,
    readFile: (bytes, task) => fileReaders.read(bytes, task),
    nowMs: sharedNowMs,
  });
  const scanOverview = new ScanOverview({ db: engine.sql.db, scans: engine.scans });
  const operator = openOperator(config, engine, log);
  const damage = new DamageFlag({ memory: memory.damage });
  const readiness = {
    isDatabaseReachable: () => probe.isReachable(),
    isDatabaseDamaged: () => damage.isSet,
    ...(engine.fitsTables && { fitsTables: engine.fitsTables }),
    missingScanPackages: config.scanWorkers === 0 ? [] : findScanPackages(config).missing,
    sharedLimits: engine.sharedLimits,
    disk: openDisk(config),
  };
  const securityEvents = new SecurityEventStore({
    ...engine.sql,
    nowMs: sharedNowMs,
    onError: (err) => log.warn({ err }, 'a security event is in the log alone'),
  });
  // One thread deletes expired data for the whole process.
  const sweepers =
    thread === 0
      ? [startSweeper(engine, log), startDeletionSweeper(engine, log), startEraser(household, log)]
      : [];
  return {
    /** Ports of the operations. */
    ports: {
      foods: foods.directory,
      customFoods: foods.writer,
      diary,
      recipes,
      goals,
      measurements,
      records,
      imports,
      feeds,
      feedTickets,
      tokens,
      signingKeys,
      keys,
      people,
      ownKeys,
      household,
      sessions,
      openId,
      confirmation,
      passkeys,
      securityEvents,
      ...operator.ports,
      tenants,
      nowMs: Date.now,
      ...readiness,
      signedUrlAccess: engine.signedUrlAccess,
      scans,
      scanOverview,
      scanFeed,
      streams,
      webhooks,
      uploadEvents: engine.uploadEvents,
      storageEvents: storageEventsOf(config),
      page: openPageFiles(config),
    },
    /** Access control and rate limits. */
    guard: { ...guard, sessions, confirmation, securityEvents },
    /** Ports of operations that call the main thread of the process. */
    operatorPorts(process: Pick<OperatorStatusPorts, 'status' | 'serviceFacts'>) {
      const parts = { ...readiness, ...process };
      return {
        operatorStatus: async () =>
          (await import('./operator/status.ts')).readOperatorStatus(config, scanOverview, parts),
      };
    },
    databaseLoad: engine.databaseLoad,
    objects: engine.objects,
    uploadEvents: engine.uploadEvents,
    scanStore: engine.scans,
    /** Call it before the server waits for pending requests: requests that wait for changes would delay that. */
    closeStreams() {
      streams.close();
      scanFeed.close();
      closeFeeds();
    },
    async close() {
      await Promise.all(sweepers.map((sweeper) => sweeper.stop()));
      await operator.close();
      await securityEvents.settled();
      await fileReaders.close();
      await foods.close();
      await engine.close();
    },
  };
}

function startSweeper({ idempotencyStore: store, nowMs }: Engine, log: Logger): StoredResponseSweeper {
  const onError = (err: unknown) => log.warn({ err }, 'expired responses could not be removed');
  const sweeper = new StoredResponseSweeper({ store, nowMs, onError });
  sweeper.start();
  return sweeper;
}

function storageEventsOf(config: Config): StorageEvents | undefined {
  const secret = config.mode === 'cluster' ? config.secrets.storageEvents : undefined;
  return secret === undefined || config.mode !== 'cluster' ? undefined : { secret, bucket: config.s3.bucket };
}
