import type { Log } from '../../base/log.ts';
import { RepeatedTask } from '../../base/repeated-task.ts';
import { DAMAGE_ADVICE, type DamageFlag } from '../../db/damage-flag.ts';
import { inProcess } from '../../threads/in-process.ts';
import type { DatabaseCheckCalls } from './database-check-process.ts';

const ENTRY = new URL('./database-check-process.ts', import.meta.url);
const START_TIMEOUT_MS = 60_000;
const MAX_HEAP_MB = 256;
const MAX_MEMORY_BYTES = 2e9;
const DAY_MS = 24 * 60 * 60_000;
/** Hour of the day, in the time zone of the service, at which few people are there. */
const NIGHT_HOUR = 4;

export interface DatabaseCheckOptions {
  readonly file: string;
  readonly flag: DamageFlag;
  readonly log: Log;
}

/** Checks the database of a data folder at the start and each night, in a process of low priority. */
export class DatabaseCheck {
  readonly #options: DatabaseCheckOptions;
  readonly #task: RepeatedTask;
  readonly #abort = new AbortController();

  constructor(options: DatabaseCheckOptions) {
    this.#options = options;
    this.#task = new RepeatedTask(() => this.#run(), {
      everyMs: () => untilNightMs(new Date()),
      onError: (err) => {
        if (!this.#abort.signal.aborted)
          options.log.warn({ err }, 'the database could not be checked for damage');
      },
    });
  }

  start(): void {
    this.#task.start();
    void this.runNow();
  }

  /** Resolves when the check has ended. */
  runNow(): Promise<void> {
    return this.#task.runNow();
  }

  async close(): Promise<void> {
    this.#abort.abort(new Error('the service stops'));
    await this.#task.stop();
  }

  async #run(): Promise<void> {
    const { file, flag, log } = this.#options;
    const damage = await inProcess<DatabaseCheckCalls, undefined, string | undefined>(
      {
        entry: ENTRY,
        maxHeapMb: MAX_HEAP_MB,
        maxMemoryBytes: MAX_MEMORY_BYTES,
        options: undefined,
        timeoutMs: START_TIMEOUT_MS,
        signal: this.#abort.signal,
      },
      (channel) => channel.call('find', file),
    );
    if (damage !== undefined && flag.set())
      log.error({ damage }, `the database is damaged. ${DAMAGE_ADVICE}`);
  }
}

/** Time until the next night. */
export function untilNightMs(now: Date): number {
  const night = new Date(now).setHours(NIGHT_HOUR, 0, 0, 0);
  return night > now.getTime() ? night - now.getTime() : night + DAY_MS - now.getTime();
}
