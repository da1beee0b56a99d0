import type { MessagePort } from 'node:worker_threads';
import type { KeyStore } from '../access/key-store.ts';
import type { SigningKeyStore } from '../access/tokens/signing-key-store.ts';
import type { Log } from '../base/log.ts';
import type { ObjectStore } from '../blobs/object-store.ts';
import type { SignedUrlAccess } from '../blobs/signed-url-access.ts';
import type { Counters, SharedLimits } from '../counters/counters.ts';
import type { MigrationLog } from '../db/schema/steps.ts';
import type { SealingDatabase } from '../db/sql-database.ts';
import type { DiaryStore } from '../diary/store/diary-store.ts';
import type { CustomFoodStore } from '../foods/custom/custom-food-store.ts';
import type { DatabaseLoad } from '../http/service/database-metrics.ts';
import type { IdempotencyStore } from '../idempotency/idempotency-store.ts';
import type { ScanStore } from '../scan/jobs/scan-store.ts';
import type { UploadEvents } from '../scan/jobs/upload-events.ts';
import type { ScanSignals } from '../scan/signals/scan-signals.ts';
import type { SharedMemory } from './shared-memory.ts';

/** The adapters of one mode, opened for one thread. */
export interface Engine {
  /** The database of the stores below. */
  readonly sql: SealingDatabase;
  readonly keys: KeyStore;
  /** Key look-ups with a separate connection, so that other queries of the thread do not delay them. */
  readonly keyLookUps: Pick<KeyStore, 'findAll'>;
  readonly signingKeys: SigningKeyStore;
  readonly idempotencyStore: IdempotencyStore;
  readonly customFoods: CustomFoodStore;
  readonly diary: DiaryStore;
  readonly objects: ObjectStore;
  readonly scans: ScanStore;
  readonly scanSignals: ScanSignals;
  readonly uploadEvents: UploadEvents;
  /** Signs stream tickets and, derived from it, tickets of sign-ins; shared by all nodes. */
  readonly ticketSecret: Uint8Array;
  /** Uploads and downloads by signed URLs, if this service itself stores the objects. */
  readonly signedUrlAccess?: SignedUrlAccess;
  /** Unix milliseconds of a clock that all processes with this database share. */
  readonly nowMs: () => number;
  readonly counters: Counters;
  /** Counters of this node only. */
  readonly ownCounters: Counters;
  /** Present if all nodes share counters. */
  readonly sharedLimits?: SharedLimits;
  /** Present if other nodes share the database. */
  readonly databaseLoad?: DatabaseLoad;
  /** Present if other nodes share the database: whether this program can use the tables, which newer nodes change. */
  readonly fitsTables?: () => Promise<boolean>;
  close(): Promise<void>;
}

/** The part of an engine that work on scans and deliveries needs. */
export interface ScanEngine
  extends Pick<
    Engine,
    'sql' | 'customFoods' | 'objects' | 'scans' | 'scanSignals' | 'uploadEvents' | 'nowMs' | 'close'
  > {}

/** Parameters for opening a thread's engine. */
export interface EngineOptions {
  /** 0 for the first of the process. */
  readonly thread: number;
  readonly memory: SharedMemory;
  /** The port from `ProcessWork.connect`. */
  readonly port?: MessagePort | undefined;
  readonly log: Log;
}

/** Parameters for starting the shared work of a process. */
export interface ProcessWorkOptions {
  readonly memory: SharedMemory;
  readonly log: Log;
  /** Called with the reason if the process cannot continue. */
  readonly onFailure: (cause: Error) => void;
  /** Called in a cluster when another catalogue was activated. */
  readonly onActivation?: () => void;
  /** When aborted, the start fails instead of waiting longer for another process. */
  readonly signal?: AbortSignal;
}

/** Work of one process for all of its threads. */
export interface ProcessWork {
  /** A port for one thread, to be transferred to it; undefined if threads need none. */
  connect(): MessagePort | undefined;
  /** Finishes pending work and closes. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Maximum connections in a cluster. */
  readonly connections?: number;
  /** Told of the steps that upgrade the tables. */
  readonly log?: MigrationLog;
}

/** A database with the current schema. */
export interface OpenDatabase extends SealingDatabase {
  /** The clock of an `Engine`. */
  readonly nowMs: () => number;
  close(): Promise<void>;
}
