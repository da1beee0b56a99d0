import { AppError, OperatorError } from '@larder/core/errors.ts';
import type { Catalogues } from '../../api/operator/catalogues.ts';
import type { Config } from '../../config/config.ts';
import type { SqlDatabase } from '../../db/sql-database.ts';
import { withoutFolders } from '../../files/without-folders.ts';
import { CatalogueVersions } from '../../foods/published/catalogue-versions.ts';
import { openCatalogueStore } from '../catalogue-store.ts';
import type { CatalogueWork } from './catalogue-work.ts';

/** The error of the catalogue store while an import runs in any process; its class does not survive the transfer. */
const LOCKED = /^Another import is running/;

export function openCatalogues(
  config: Config,
  sql: SqlDatabase & { readonly nowMs: () => number },
  work: Pick<CatalogueWork, 'use'>,
): Catalogues {
  return config.mode === 'cluster' ? published(new CatalogueVersions(sql)) : stored(config, work);
}

function published(versions: CatalogueVersions): Catalogues {
  return {
    async list() {
      const listed = await versions.list();
      return {
        active: listed.find(({ isActive }) => isActive)?.name,
        catalogues: listed.map(({ name: id, compiledAtMs, foods, bytes }) => ({
          id,
          createdAt: new Date(compiledAtMs).toISOString(),
          foods,
          bytes,
        })),
      };
    },
    async activate(id) {
      if ((await versions.activate(id)) === undefined) throw notFound();
    },
  };
}

function stored(config: Config, work: Pick<CatalogueWork, 'use'>): Catalogues {
  const store = openCatalogueStore(config);
  return {
    async list() {
      const listed = await store.list();
      return {
        active: listed.find(({ inUse }) => inUse)?.name,
        catalogues: listed.map(({ name: id, info, problem }) => ({
          id,
          ...(problem !== undefined && { problem: withoutFolders(problem, config.dataDir) }),
          ...(info !== undefined && {
            createdAt: new Date(info.createdAt).toISOString(),
            foods: info.foods,
            bytes: info.bytes,
            sources: info.segments.map(({ origin, foods, importedAt }) => ({
              origin,
              foods,
              importedAt: new Date(importedAt * 1000).toISOString(),
            })),
          }),
        })),
      };
    },
    async activate(id) {
      if (!(await store.list()).some(({ name }) => name === id)) throw notFound();
      try {
        await work.use(id);
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        const code = LOCKED.test(error.message) ? 'conflict' : 'invalid_request';
        throw new AppError({ code, message: withoutFolders(error.message, config.dataDir) });
      }
    },
  };
}

function notFound(): AppError {
  return new AppError({
    code: 'catalogue_not_found',
    message: 'There is no catalogue with this id; GET /v1/operator/catalogues lists all.',
  });
}
