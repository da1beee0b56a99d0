import { basename } from 'node:path';
import type { Food, Origin } from '@larder/core/food.ts';
import type { Config } from '../../config/config.ts';
import type { ImportChoices, ImportSourceName } from '../../foods/import/import-job.ts';
import type { ImportProgress } from '../../foods/import/import-progress.ts';
import { previewImport, runImport } from '../../foods/import/import-run.ts';
import { type OffSlice, openSlice } from '../../foods/import/off/slice.ts';
import { describeTable, openTable, tableNameOf } from '../../foods/import/table/table-source.ts';
import { lowerProcessPriority, serveParent } from '../../threads/parent.ts';
import { backUp } from '../backup.ts';
import { openCatalogueStore, STARTER } from '../catalogue-store.ts';
import { readExternalFoods } from '../foods.ts';
import { activateStoredCatalogue } from './activate-catalogue.ts';
import { type ImportFiles, OPEN_SOURCE, openNewestExport, openOffUpdate } from './import-files.ts';

/** Minimum interval between two reports of progress. */
const REPORT_EVERY_MS = 500;

/** Foods that a preview shows. */
const SHOWN_FOODS = 5;

export interface ImportTask {
  readonly source: ImportSourceName;
  /** Without it the newest export is downloaded. */
  readonly file?: string | undefined;
  readonly slice?: OffSlice | undefined;
  readonly choices?: ImportChoices | undefined;
  /** Downloads what changed since the last import instead. */
  readonly update?: boolean | undefined;
}

/** Calls of the service to the process. */
export interface CatalogueProcessCalls {
  /** Throws an `OperatorError` if the files cannot be used. */
  import(task: ImportTask): Promise<{ readonly report: object; readonly tablePreview?: object }>;
  /** Copies the database into a new file; returns its SHA-256. */
  backUp(file: string): Promise<string>;
  /** Returns the name of the catalogue in use afterwards. */
  use(name: string): Promise<string>;
}

export interface ReportedProgress {
  readonly phase: string;
  readonly done: number;
  readonly total: number;
  readonly rows: number;
}

/** Calls of the process to the service. */
export interface CatalogueProcessParent {
  progress(told: ReportedProgress): void;
}

lowerProcessPriority();

/** A process that imports and verifies catalogues, so that the service keeps its memory and processor time. */
serveParent<Config, CatalogueProcessParent>(async (config, parent) => {
  const catalogueStore = openCatalogueStore(config);
  const signal = new AbortController().signal;
  let told: ReportedProgress = { phase: '', done: 0, total: 0, rows: 0 };
  let toldAtMs = 0;
  const tell = () => {
    toldAtMs = performance.now();
    parent.call('progress', told).catch(() => {});
  };
  const progress: ImportProgress = {
    begin(phase, total) {
      told = { phase, done: 0, total, rows: told.rows };
      tell();
    },
    update(done, rows) {
      told = { ...told, done, rows: rows === 0 ? told.rows : rows };
      if (performance.now() - toldAtMs >= REPORT_EVERY_MS) tell();
    },
    end() {},
  };
  return {
    async import({ source, file, slice, choices, update }) {
      const filter = slice && openSlice(slice);
      const quiet = { config, progress, onTrouble: () => {} };
      let origin: Origin = source;
      let files: ImportFiles;
      if (source === 'table') {
        const { name = tableNameOf(file!), per, map } = choices?.table ?? {};
        progress.begin(`Reading ${basename(file!)}`, 0);
        const table = await openTable([file!], { map: undefined, mapText: map, per, name });
        const { sources } = table;
        origin = table.map.origin;
        if (choices?.preview) {
          const run = { origin, sources, progress, nowMs: Date.now, signal };
          const preview = await previewImport(run, SHOWN_FOODS);
          const tablePreview = { ...describeTable(table), foods: preview.foods.map(toShown) };
          return { report: preview.report, tablePreview };
        }
        files = { sources, ...(origin === 'table' && { table: table.map.name }) };
      } else if (update) files = await openOffUpdate(catalogueStore, quiet);
      else if (file === undefined) files = await openNewestExport({ ...quiet, origin: source, filter });
      else files = { sources: [await OPEN_SOURCE[source](file, filter)], slice };
      const { report, catalogue, foods } = await runImport({
        origin,
        table: files.table,
        sources: files.sources,
        slice: files.slice,
        facts: choices?.facts !== 'none',
        catalogueStore,
        replace: files.isWhole === true,
        putInUse: true,
        externalFoods: readExternalFoods(config),
        firstFoods: STARTER,
        progress,
        nowMs: Date.now,
        signal,
      });
      await files.fetched?.remove();
      if (config.mode === 'cluster') {
        const { openPublished } = await import('../open-published.ts');
        const published = await openPublished(config);
        try {
          progress.begin('Publishing the catalogue', 0);
          const { version } = await published.publish({
            file: catalogueStore.pathOf(catalogue),
            sendAll: false,
            onProgress: (bytes) => progress.update(bytes, 0),
          });
          await published.versions.activate(version.name);
          await published.removeOld().catch(() => {});
        } finally {
          await published.close();
        }
      }
      return { report: { ...report, catalogue, foods } };
    },
    backUp: (file) => backUp(config, file),
    use: (name) => activateStoredCatalogue({ catalogueStore, name, progress, signal }),
    async stop() {},
  } satisfies CatalogueProcessCalls & { stop(): Promise<void> };
});

/** The part of a food that a preview shows. */
function toShown({ name, brand, barcode, basis, per100, servings }: Food) {
  const [{ label, value, unit }] = servings;
  return { name, brand, barcode, per: basis, nutrients: per100, serving: label ?? `${value} ${unit}` };
}
