import type { OperatorStatus } from '../../api/operator/status.ts';
import type { Log } from '../../base/log.ts';
import { RepeatedTask } from '../../base/repeated-task.ts';
import type { Config } from '../../config/config.ts';
import { withoutFolders } from '../../files/without-folders.ts';
import { inProcess } from '../../threads/in-process.ts';
import type { BackupProcessCalls } from './backup-process.ts';
import { type BackupRound, HOUR_MS } from './make-due-backup.ts';

const ENTRY = new URL('./backup-process.ts', import.meta.url);
const START = { timeoutMs: 60_000 };
const MAX_HEAP_MB = 512;
const MAX_MEMORY_BYTES = 2e9;
/** Pause after a failure. */
const RETRY_MS = 15 * 60_000;
const MIN_PAUSE_MS = 1_000;

export type BackupState = NonNullable<OperatorStatus['backups']>;

export interface ScheduledBackupsOptions {
  readonly config: Config;
  readonly nowMs: () => number;
  readonly log: Log;
  /** Makes a backup if it is due; in a process by default. */
  readonly run?: (config: Config) => Promise<BackupRound>;
}

/** Makes backups on a schedule, in embedded mode with `LARDER_BACKUP_TO`. */
export class ScheduledBackups {
  readonly #options: ScheduledBackupsOptions;
  readonly #task: RepeatedTask;
  readonly #abort = new AbortController();
  #round: BackupRound | undefined;
  #problem: string | undefined;
  failures = 0;

  /** Undefined if none are configured. */
  static open(options: ScheduledBackupsOptions): ScheduledBackups | undefined {
    return options.config.backup === undefined ? undefined : new ScheduledBackups(options);
  }

  private constructor(options: ScheduledBackupsOptions) {
    this.#options = options;
    this.#task = new RepeatedTask(() => this.#run(), {
      everyMs: () => (this.#problem === undefined ? this.#pauseMs() : RETRY_MS),
      onError: (err) => {
        this.failures++;
        this.#problem = withoutFolders((err as Error).message, options.config.dataDir);
        options.log.error({ err }, 'the backup on schedule failed; it is tried again in 15 minutes');
      },
    });
  }

  start(): void {
    this.#task.start();
    void this.#task.runNow();
  }

  /** A backup that is being made is given up. */
  async close(): Promise<void> {
    this.#abort.abort(new Error('the service stops'));
    await this.#task.stop();
  }

  get everyMs(): number {
    return this.#options.config.backup!.everyHours * HOUR_MS;
  }

  get newestAtMs(): number | undefined {
    return this.#round?.kept[0]?.atMs;
  }

  get state(): BackupState {
    const { everyHours, keep, to } = this.#options.config.backup!;
    const kept = this.#round?.kept ?? [];
    const [newest] = kept;
    const dueAt = newest === undefined ? undefined : new Date(newest.atMs + this.everyMs).toISOString();
    return {
      kind: to.kind === 'folder' ? 'folder' : 's3',
      everyHours,
      keep,
      count: kept.length,
      ...(newest && {
        newest: { name: newest.name, bytes: newest.bytes, createdAt: new Date(newest.atMs).toISOString() },
      }),
      ...(dueAt !== undefined && { nextAt: dueAt }),
      ...(this.#problem !== undefined && { problem: this.#problem }),
    };
  }

  #pauseMs(): number {
    const { nowMs } = this.#options;
    const dueInMs = (this.newestAtMs ?? 0) + this.everyMs - nowMs();
    // Check at least every hour: timers may stop while the machine sleeps.
    return Math.min(HOUR_MS, Math.max(MIN_PAUSE_MS, dueInMs));
  }

  async #run(): Promise<void> {
    const { config, log, nowMs, run = (given) => runInProcess(given, this.#abort.signal) } = this.#options;
    const dueInMs = (this.newestAtMs ?? 0) + this.everyMs - nowMs();
    if (this.#round !== undefined && dueInMs > 0) return;
    this.#round = await run(config);
    this.#problem = undefined;
    const [newest] = this.#round.kept;
    if (this.#round.isNew) log.info({ backup: newest?.name, bytes: newest?.bytes }, 'a backup is made');
  }
}

function runInProcess(config: Config, signal: AbortSignal): Promise<BackupRound> {
  return inProcess<BackupProcessCalls, Config, BackupRound>(
    {
      entry: ENTRY,
      maxHeapMb: MAX_HEAP_MB,
      maxMemoryBytes: MAX_MEMORY_BYTES,
      ...START,
      options: config,
      signal,
    },
    (channel) => channel.call('run', undefined),
  );
}
