import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Log } from '../../base/log.ts';
import { Places } from '../../base/places.ts';
import type { Config } from '../../config/config.ts';
import type { Engine } from '../backend.ts';
import { openDisk } from '../data-folder.ts';
import { openScheduledUpdates } from './scheduled-updates.ts';

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
