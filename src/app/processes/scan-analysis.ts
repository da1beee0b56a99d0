import { OperatorError } from '@larder/core/errors.ts';
import type { SqlDatabase } from '../../db/sql-database.ts';
import { Catalogue } from '../../foods/catalogue/catalogue.ts';
import type { FoodViewer } from '../../foods/custom/food-owner.ts';
import { openShippedFoods } from '../../foods/starter/starter-foods.ts';
import type { CurrentCatalogue } from '../../foods/visible-foods.ts';
import { foundFoods, type ScanFoods } from '../../scan/analysis/scan-foods.ts';
import type { ScanJob } from '../../scan/scan-job.ts';
import { type FoodsOptions, openFoods } from '../foods.ts';
import { AnalysisPool } from './analysis-pool.ts';
import { ScanHabits } from './scan-habits.ts';
import type { ServedCatalogue } from './served-catalogue.ts';

export interface ScanAnalysisOptions extends Omit<FoodsOptions, 'catalogue' | 'favourites'> {
  readonly catalogue: Pick<ServedCatalogue, 'image'>;
  readonly sql: SqlDatabase;
  /** Number of images that are analysed in parallel. */
  readonly processes: number;
  /** Why no process can be started now; images then wait. */
  readonly whyNotNow: () => string | undefined;
}

/** The analysis of photos, with the foods that it may find on them. Close it when done. */
export async function openScanAnalysis({
  catalogue,
  sql,
  processes,
  whyNotNow,
  ...options
}: ScanAnalysisOptions) {
  const { config, log } = options;
  const foods = await openFoods({ ...options, catalogue: viewOf(catalogue) });
  const shipped = openShippedFoods();
  const habits = new ScanHabits({ sql, foods: foods.completeDirectory, nowMs: options.nowMs });
  const pool = new AnalysisPool({
    config,
    processes,
    whyNotNow,
    onError(err, isReplaced) {
      const message = isReplaced ? 'a process that analysed an image is replaced' : 'an analysis failed';
      log.error({ err }, err instanceof OperatorError ? `${message}: ${err.message}` : message);
    },
  });
  return {
    pool,
    foodsOf: (viewer: FoodViewer & Pick<ScanJob, 'userId' | 'diaries'>): ScanFoods =>
      foundFoods({ foods: foods.completeDirectory, viewer, shipped, habits: () => habits.of(viewer) }),
    async close() {
      await pool.close();
      foods.close();
    },
  };
}

function viewOf(served: Pick<ServedCatalogue, 'image'>): CurrentCatalogue {
  let opened: { readonly image: SharedArrayBuffer; readonly catalogue: Catalogue } | undefined;
  return {
    get current() {
      const { image } = served;
      if (image !== undefined && image !== opened?.image)
        opened = { image, catalogue: Catalogue.open(image) };
      return opened?.catalogue;
    },
  };
}
