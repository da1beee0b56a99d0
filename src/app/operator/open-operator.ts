import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Log } from '../../base/log.ts';
import { Places } from '../../base/places.ts';
import { RepeatedTask } from '../../base/repeated-task.ts';
import type { Config } from '../../config/config.ts';
import type { CatalogueImports } from '../../foods/import/catalogue-imports.ts';
import type { Engine } from '../backend.ts';
import { openDisk } from '../data-folder.ts';

/** Parts of an API thread for operators. Their first request loads them, so that other threads do not load the code. */
export function openOperator(config: Config, { sql, nowMs }: Pick<Engine, 'sql' | 'nowMs'>, log: Log) {
  let opened: ReturnType<typeof open> | undefined;
  const open = async () => {
    const [{ CatalogueWork }, { openCatalogues }, { CatalogueImports }, { ImportJobStore }] =
      await Promise.all([
        import('./catalogue-work.ts'),
        import('./catalogues.ts'),
        import('../../foods/import/catalogue-imports.ts'),
        import('../../foods/import/import-job-store.ts'),
      ]);
    const store = new ImportJobStore(sql);
    const work = new CatalogueWork({ config, store, nowMs, log });
    return {
      work,
      catalogues: openCatalogues(config, { ...sql, nowMs }, work),
      catalogueImports: new CatalogueImports({
        store,
        runner: work,
        folder: join(config.dataDir, 'downloads', 'sent'),
        takesFiles: config.mode === 'embedded',
        disk: openDisk(config),
        nowMs,
        randomBytes,
      }),
    };
  };
  const opening = () => (opened ??= open());
  const backups = new Places({ all: 1, each: [] });
  const catalogueImports = async () => (await opening()).catalogueImports;
  const updates =
    config.mode === 'embedded' && config.update === 'weekly'
      ? openScheduledUpdates({
          imports: catalogueImports,
          lastImport: () => lastOffImport(config),
          nowMs,
          log,
        })
      : undefined;
  updates?.start();
  return {
    ports: {
      makeBackup: async () =>
        (await import('./make-backup.ts')).makeBackup(config, {
          work: (await opening()).work,
          places: backups,
        }),
      catalogues: async () => (await opening()).catalogues,
      catalogueImports,
    },
    async close() {
      await updates?.stop();
      await (await opened)?.work.close();
    },
  };
}

/** The time of the last import of Open Food Facts in the catalogue in use. */
async function lastOffImport(config: Config): Promise<number | undefined> {
  const { openCatalogueStore } = await import('../catalogue-store.ts');
  const inUse = (await openCatalogueStore(config).list()).find((each) => each.inUse);
  const newest = inUse?.info?.segments.findLast(({ origin }) => origin === 'off');
  return newest && newest.importedAt * 1_000;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EVERY_MS = 7 * DAY_MS;

interface ScheduledUpdatesOptions {
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
function openScheduledUpdates(options: ScheduledUpdatesOptions): RepeatedTask {
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
