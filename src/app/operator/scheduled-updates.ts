import type { Log } from '../../base/log.ts';
import { RepeatedTask } from '../../base/repeated-task.ts';
import type { CatalogueImports } from '../../foods/import/catalogue-imports.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EVERY_MS = 7 * DAY_MS;

export interface ScheduledUpdatesOptions {
  readonly imports: () => Promise<CatalogueImports>;
  /** Unix milliseconds of the last import of Open Food Facts in the catalogue in use; undefined if there is none. */
  readonly lastImport: () => Promise<number | undefined>;
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * Starts an update of Open Food Facts when the last import is a week old (`LARDER_UPDATE=weekly`). All threads and nodes look each
 * hour; one import runs at a time, and one that failed is tried again after a day.
 */
export function openScheduledUpdates(options: ScheduledUpdatesOptions): RepeatedTask {
  const { log } = options;
  return new RepeatedTask(() => startIfDue(options), {
    everyMs: HOUR_MS,
    onError: (err) => log.warn({ err }, 'the update of Open Food Facts could not be started'),
  });
}

/** Whether it was started. Nothing is updated that was not imported. */
export async function startIfDue({
  imports,
  lastImport,
  nowMs,
}: Omit<ScheduledUpdatesOptions, 'log'>): Promise<boolean> {
  const last = await lastImport();
  if (last === undefined || nowMs() - last < EVERY_MS) return false;
  const all = await imports();
  const isRecent = (await all.list()).some(({ createdAtMs }) => nowMs() - createdAtMs < DAY_MS);
  if (isRecent) return false;
  await all.start({ source: 'off', update: true });
  return true;
}
