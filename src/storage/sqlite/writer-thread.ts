import { dirname } from 'node:path';
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { OperatorError } from '../../errors.ts';
import { ProcessLock } from '../../files/process-lock.ts';
import type { Write } from '../writer.ts';
import { Revisions } from './revisions.ts';
import { WriteGroups, type WriteResult } from './write-group.ts';

/**
 * The thread that alone writes to the database. While it waits for the disk, writes of all API threads gather in its
 * ports; the next group takes them together.
 *
 *     API thread 1 ──port──┐
 *     API thread 2 ──port──┼──▶ take what is there ──▶ one transaction, one sync ──▶ answer each
 *     API thread n ──port──┘         ▲                                                  │
 *                                    └──────────────────────────────────────────────────┘
 */
export interface WriterThreadData {
  readonly file: string;
  /** How long it waits for the process that it takes over from. */
  readonly lockWaitMs: number;
  /** For benchmarks, to imitate a slow disk: each sync takes this much longer. */
  readonly extraSyncMs: number;
}

export interface WriteMessage {
  readonly id: number;
  readonly write: Write;
}

/** The first thing that a port hears. */
export interface WelcomeMessage {
  /** For `Revisions`. */
  readonly revisions: SharedArrayBuffer;
}

/** What the thread reports before it begins to write. */
export type StartMessage =
  | 'ready'
  /** Another process has the folder, and is waited for. */
  | { readonly waitingFor: number | undefined }
  /** That process does not end, so nothing can be written here. */
  | { readonly refused: string };

/** Answers of one group to one port. */
export type AnswerMessage = readonly { readonly id: number; readonly result: WriteResult }[];

export type ControlMessage = { readonly connect: MessagePort } | { readonly close: true };

const MAX_GROUP_WRITES = 1_000;
const BUSY_TIMEOUT_MS = 10_000;
const CACHE_KIB = 65_536;
/** Pages of the write-ahead log after which it is folded into the file. */
const CHECKPOINT_PAGES = 4_000;
/** A log that grew beyond this while a long read, such as a backup, kept it from being folded in gives the rest back. */
const KEPT_LOG_BYTES = 64 * 1024 * 1024;

interface Waiting extends WriteMessage {
  readonly port: MessagePort;
}

const { file, lockWaitMs, extraSyncMs } = workerData as WriterThreadData;
const lock = lockFolder();
const sqlite = openForWriting(file);
const groups = new WriteGroups({ sqlite });
const revisionsMemory = Revisions.createMemory();
const revisions = new Revisions({ memory: revisionsMemory });
const ports = new Set<MessagePort>();
const never = new Int32Array(new SharedArrayBuffer(4));

parentPort!.on('message', (message: ControlMessage) => {
  if ('connect' in message) connect(message.connect);
  else close();
});

tell('ready');

function tell(message: StartMessage): void {
  parentPort!.postMessage(message);
}

function connect(port: MessagePort): void {
  ports.add(port);
  port.postMessage({ revisions: revisionsMemory } satisfies WelcomeMessage);
  port.on('message', (message: WriteMessage) => writeGroup({ ...message, port }));
  port.on('close', () => ports.delete(port));
}

/** Empties the ports first, so that everything accepted before the end is written. */
function close(): void {
  for (let group = gather([]); group.length > 0; group = gather([])) commit(group);
  for (const port of ports) port.close();
  sqlite.close();
  lock.release();
  parentPort!.close();
}

function writeGroup(first: Waiting): void {
  commit(gather([first]));
}

function gather(group: Waiting[]): Waiting[] {
  let found = true;
  while (found && group.length < MAX_GROUP_WRITES) {
    found = false;
    for (const port of ports) {
      const received = receiveMessageOnPort(port) as { message: WriteMessage } | undefined;
      if (received === undefined) continue;
      group.push({ ...received.message, port });
      found = true;
    }
  }
  return group;
}

function commit(group: readonly Waiting[]): void {
  const results = groups.commit(group.map(({ write }) => write));
  for (const { write } of group) if (write.raises !== undefined) revisions.raise(write.raises);
  if (extraSyncMs > 0) Atomics.wait(never, 0, 0, extraSyncMs);
  const answers = new Map<MessagePort, { id: number; result: WriteResult }[]>();
  group.forEach(({ id, port }, index) => {
    const answer = { id, result: results[index]! };
    const known = answers.get(port);
    if (known === undefined) answers.set(port, [answer]);
    else known.push(answer);
  });
  for (const [port, answer] of answers) port.postMessage(answer satisfies AnswerMessage);
}

/** A database has one writer in one process, since `Revisions` would not hear of another one's writes. */
function lockFolder(): ProcessLock {
  try {
    return ProcessLock.acquire({
      file: `${file}.lock`,
      waitMs: lockWaitMs,
      onWait: (waitingFor) => tell({ waitingFor }),
      refusal: (holder) =>
        `Another Larder${holder} serves the data folder ${dirname(file)}. Stop that one, or give this one a folder of its ` +
        'own with LARDER_DATA_DIR. Only `larder worker` may share a folder; several services share a database (docs/cluster.md).',
    });
  } catch (error) {
    if (error instanceof OperatorError) tell({ refused: error.message });
    throw error;
  }
}

function openForWriting(path: string): Sqlite.Database {
  const opened = new Sqlite(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  opened.pragma('journal_mode = WAL');
  // FULL syncs the log at each commit; on macOS only fullfsync reaches the disk itself.
  opened.pragma('synchronous = FULL');
  opened.pragma('fullfsync = ON');
  opened.pragma(`cache_size = -${CACHE_KIB}`);
  opened.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  opened.pragma(`journal_size_limit = ${KEPT_LOG_BYTES}`);
  return opened;
}
