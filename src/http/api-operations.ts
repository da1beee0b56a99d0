import packageJson from '../../package.json' with { type: 'json' };
import type { TenantKeys } from '../access/tenant-keys.ts';
import type { SigningKeyRing } from '../access/tokens/signing-keys.ts';
import type { TokenIssuer } from '../access/tokens/token-issuer.ts';
import type { Diary } from '../diary/diary.ts';
import type { GoalBook } from '../diary/goal-book.ts';
import type { RecipeBook } from '../diary/recipe-book.ts';
import type { CustomFoodWriter } from '../foods/custom/custom-food-writer.ts';
import type { FoodDirectory } from '../foods/visible-foods.ts';
import type { Scans } from '../scan/jobs/scans.ts';
import { describeApi, openApiOperation } from './openapi/document.ts';
import { getReferencePage, getReferenceScript } from './openapi/reference-page.ts';
import { getFrontPage } from './operations/front-page.ts';
import { getHealth, getReadiness, type ReadinessPorts } from './operations/health.ts';
import { getMetrics, type MetricsPorts } from './operations/metrics.ts';
import { receiveStorageEvent, type StorageEventPorts } from './operations/receive-storage-event.ts';
import { getObject, putObject, type SignedUrlPorts } from './operations/signed-objects.ts';
import type { Operation } from './server/operation.ts';
import type { ScanStreams } from './shared/scan-streams.ts';
import { createScan as createScanUnversioned } from './unversioned/create-scan.ts';
import { getFoodByBarcode as getFoodByBarcodeUnversioned } from './unversioned/get-food-by-barcode.ts';
import { getScan as getScanUnversioned } from './unversioned/get-scan.ts';
import { listFoods as listFoodsUnversioned } from './unversioned/list-foods.ts';
import { parseText as parseTextUnversioned } from './unversioned/parse-text.ts';
import { searchFoods as searchFoodsUnversioned } from './unversioned/search-foods.ts';
import { changeKey } from './v1/access/change-key.ts';
import { createKey } from './v1/access/create-key.ts';
import { createToken } from './v1/access/create-token.ts';
import { getKey } from './v1/access/get-key.ts';
import { getTokenKeys } from './v1/access/get-token-keys.ts';
import { listKeys } from './v1/access/list-keys.ts';
import { revokeKey } from './v1/access/revoke-key.ts';
import { rotateKey } from './v1/access/rotate-key.ts';
import { changeEntry } from './v1/diary/change-entry.ts';
import { copyDay } from './v1/diary/copy-day.ts';
import { createEntries } from './v1/diary/create-entries.ts';
import { createEntry } from './v1/diary/create-entry.ts';
import { createTextEntries } from './v1/diary/create-text-entries.ts';
import { deleteEntry } from './v1/diary/delete-entry.ts';
import { eraseUser } from './v1/diary/erase-user.ts';
import { exportDiary } from './v1/diary/export-diary.ts';
import { getEntry } from './v1/diary/get-entry.ts';
import { getGoals } from './v1/diary/get-goals.ts';
import { listFrequentFoods, listRecentFoods } from './v1/diary/list-eaten-foods.ts';
import { listEntries } from './v1/diary/list-entries.ts';
import { putGoals } from './v1/diary/put-goals.ts';
import { sumDays } from './v1/diary/sum-days.ts';
import { changeFood } from './v1/foods/change-food.ts';
import { createFood } from './v1/foods/create-food.ts';
import { deleteFood } from './v1/foods/delete-food.ts';
import { getFood } from './v1/foods/get-food.ts';
import { getFoodByBarcode } from './v1/foods/get-food-by-barcode.ts';
import { getFoods } from './v1/foods/get-foods.ts';
import { listFoods } from './v1/foods/list-foods.ts';
import { parseText } from './v1/foods/parse-text.ts';
import { searchFoods } from './v1/foods/search-foods.ts';
import { changeRecipe } from './v1/recipes/change-recipe.ts';
import { createRecipe } from './v1/recipes/create-recipe.ts';
import { deleteRecipe } from './v1/recipes/delete-recipe.ts';
import { getRecipe } from './v1/recipes/get-recipe.ts';
import { listRecipes } from './v1/recipes/list-recipes.ts';
import { createScan } from './v1/scans/create-scan.ts';
import { deleteScan } from './v1/scans/delete-scan.ts';
import { getScan } from './v1/scans/get-scan.ts';
import { followScan, streamScan } from './v1/scans/stream-scan.ts';

/** The ports of all operations. */
export interface ApiPorts extends SignedUrlPorts, StorageEventPorts, ReadinessPorts, MetricsPorts {
  readonly keys: TenantKeys;
  readonly tokens: TokenIssuer;
  readonly signingKeys: SigningKeyRing;
  readonly foods: FoodDirectory;
  readonly customFoods: CustomFoodWriter;
  readonly diary: Diary;
  readonly recipes: RecipeBook;
  readonly goals: GoalBook;
  readonly publicUrl: string | undefined;
  readonly scans: Scans;
  readonly scanStreams: ScanStreams;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/** All operations of the service, in the order of the OpenAPI document. */
export const API_OPERATIONS: readonly Operation<ApiPorts>[] = [
  ...[searchFoods, parseText, getFoodByBarcode, getFood, createFood, changeFood, deleteFood],
  ...[listFoods, getFoods],
  ...[
    createEntry,
    createEntries,
    createTextEntries,
    getEntry,
    changeEntry,
    deleteEntry,
    listEntries,
    sumDays,
    copyDay,
    exportDiary,
  ],
  ...[createRecipe, listRecipes, getRecipe, changeRecipe, deleteRecipe],
  ...[getGoals, putGoals, listRecentFoods, listFrequentFoods, eraseUser],
  ...[createToken, getTokenKeys, listKeys, createKey, getKey, changeKey, revokeKey, rotateKey],
  ...[createScan, getScan, deleteScan, streamScan, followScan],
  ...[searchFoodsUnversioned, parseTextUnversioned, getFoodByBarcodeUnversioned, listFoodsUnversioned],
  ...[createScanUnversioned, getScanUnversioned],
  ...[getFrontPage, getHealth, getReadiness, getMetrics],
  ...[putObject, getObject, receiveStorageEvent],
  ...[openApiOperation(describedApi), getReferencePage, getReferenceScript],
];

/** The OpenAPI document. */
export function describedApi(): object {
  return describeApi(API_OPERATIONS, packageJson.version);
}
