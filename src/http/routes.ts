import packageJson from '../../package.json' with { type: 'json' };
import type { Diary } from '../diary/diary.ts';
import type { GoalBook } from '../diary/user-goals.ts';
import { type ObjectRoutesPorts, objectRoutes } from './objects/object-routes.ts';
import { type StorageEventRoutesPorts, storageEventRoutes } from './objects/receive-storage-event.ts';
import { describeApi, openApiRoute } from './openapi/document.ts';
import { getReferencePage, getReferenceScript } from './openapi/reference-page.ts';
import { type OperationsPorts, operationsRoutes } from './operations/operations-routes.ts';
import type { Ports } from './ports.ts';
import { toRoutes } from './server/operation-route.ts';
import type { Route } from './server/route.ts';
import { createScan as createScanUnversioned } from './unversioned/create-scan.ts';
import { getFoodByBarcode as getFoodByBarcodeUnversioned } from './unversioned/get-food-by-barcode.ts';
import { getScan as getScanUnversioned } from './unversioned/get-scan.ts';
import { searchFoods as searchFoodsUnversioned } from './unversioned/search-foods.ts';
import { createKey } from './v1/access/create-key.ts';
import { createToken } from './v1/access/create-token.ts';
import { getKey } from './v1/access/get-key.ts';
import { getTokenKeys } from './v1/access/get-token-keys.ts';
import { listKeys } from './v1/access/list-keys.ts';
import { revokeKey } from './v1/access/revoke-key.ts';
import { rotateKey } from './v1/access/rotate-key.ts';
import { diaryDayRoutes } from './v1/diary/diary-days.ts';
import { diaryEntryRoutes } from './v1/diary/diary-entries.ts';
import { diaryUserRoutes } from './v1/diary/diary-user.ts';
import { changeFood } from './v1/foods/change-food.ts';
import { createFood } from './v1/foods/create-food.ts';
import { deleteFood } from './v1/foods/delete-food.ts';
import { getFood } from './v1/foods/get-food.ts';
import { getFoodByBarcode } from './v1/foods/get-food-by-barcode.ts';
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

interface DiaryRoutesPorts extends Ports {
  readonly publicUrl: string | undefined;
  readonly diary: () => Diary;
  readonly goals: () => GoalBook;
}

/** Everything under /v1/users; the unversioned variant has no diary. */
function diaryRoutes(ports: DiaryRoutesPorts): readonly Route[] {
  return [
    ...diaryEntryRoutes(ports),
    ...diaryDayRoutes(ports),
    ...toRoutes([createRecipe, listRecipes, getRecipe, changeRecipe, deleteRecipe], ports),
    ...diaryUserRoutes(ports),
  ];
}

export interface ApiPorts
  extends OperationsPorts,
    DiaryRoutesPorts,
    Ports,
    StorageEventRoutesPorts,
    ObjectRoutesPorts {}

/** Everything that the service answers to. */
export function apiRoutes(ports: ApiPorts): readonly Route[] {
  const routes = describedRoutes(ports);
  return [
    ...routes,
    openApiRoute(describeApi(routes, packageJson.version)),
    ...toRoutes([getReferencePage, getReferenceScript], ports),
  ];
}

/** The OpenAPI document of a service that need not run. */
export function describedApi(): object {
  const notRunning = () => {
    throw new Error('described, not served');
  };
  const ports = {
    foods: undefined as never,
    ownFoods: undefined as never,
    diary: notRunning,
    recipes: undefined as never,
    goals: notRunning,
    tokens: undefined as never,
    signingKeys: undefined as never,
    keys: undefined as never,
    nowMs: notRunning,
    status: notRunning,
    isDatabaseReachable: notRunning,
    collectMetrics: notRunning,
    scans: undefined as never,
    scanStreams: undefined as never,
    publicUrl: undefined,
    uploadEvents: notRunning,
    storageEvents: undefined,
    signedUrlAccess: notRunning,
    sharedLimits: undefined,
    disk: { hasRoom: notRunning },
  };
  return describeApi(describedRoutes(ports), packageJson.version);
}

function describedRoutes(ports: ApiPorts): readonly Route[] {
  return [
    ...toRoutes([searchFoods, getFoodByBarcode, getFood, createFood, changeFood, deleteFood], ports),
    ...diaryRoutes(ports),
    ...toRoutes([createToken, getTokenKeys, listKeys, createKey, getKey, revokeKey, rotateKey], ports),
    ...toRoutes([createScan, getScan, deleteScan, streamScan, followScan], ports),
    ...toRoutes([searchFoodsUnversioned, getFoodByBarcodeUnversioned], ports),
    ...toRoutes([createScanUnversioned, getScanUnversioned], ports),
    ...operationsRoutes(ports),
    ...objectRoutes(ports),
    ...storageEventRoutes(ports),
  ];
}
