import packageJson from '../../package.json' with { type: 'json' };
import { type DiaryRoutesPorts, diaryRoutes } from './diary.ts';
import { type ObjectRoutesPorts, objectRoutes } from './objects/object-routes.ts';
import { type StorageEventRoutesPorts, storageEventRoutes } from './objects/receive-storage-event.ts';
import { describeApi } from './openapi/document.ts';
import { openApiRoute } from './openapi/openapi-route.ts';
import { referencePageRoutes } from './openapi/reference-page.ts';
import { type OperationsPorts, operationsRoutes } from './operations/operations-routes.ts';
import type { Route } from './server/route.ts';
import { foodRoutes as unversionedFoodRoutes } from './unversioned/foods.ts';
import { scanRoutes as unversionedScanRoutes } from './unversioned/scans.ts';
import { type AuthRoutesPorts, authRoutes } from './v1/access/auth.ts';
import { type KeyRoutesPorts, keyRoutes } from './v1/access/keys.ts';
import { type FoodRoutesPorts, foodRoutes as v1FoodRoutes } from './v1/foods/foods.ts';
import { ownFoodRoutes } from './v1/foods/own-foods.ts';
import { type ScanRoutesPorts, scanRoutes as v1ScanRoutes } from './v1/scans/scans.ts';

export interface ApiPorts
  extends OperationsPorts,
    DiaryRoutesPorts,
    AuthRoutesPorts,
    KeyRoutesPorts,
    FoodRoutesPorts,
    ScanRoutesPorts,
    StorageEventRoutesPorts,
    ObjectRoutesPorts {}

/** Everything that the service answers to. */
export function apiRoutes(ports: ApiPorts): readonly Route[] {
  const routes = describedRoutes(ports);
  return [...routes, openApiRoute(describeApi(routes, packageJson.version)), ...referencePageRoutes()];
}

/** The OpenAPI document of a service that need not run. */
export function describedApi(): object {
  const notRunning = () => {
    throw new Error('described, not served');
  };
  const ports = {
    foods: notRunning,
    ownFoods: notRunning,
    diary: notRunning,
    recipes: notRunning,
    goals: notRunning,
    issueToken: notRunning,
    publicJwks: notRunning,
    keys: notRunning,
    nowMs: notRunning,
    status: notRunning,
    isDatabaseReachable: notRunning,
    collectMetrics: notRunning,
    scans: notRunning,
    scanStreams: notRunning,
    publicUrl: undefined,
    arrivals: notRunning,
    storageEvents: undefined,
    objectGate: notRunning,
    sharedLimits: undefined,
    disk: { hasRoom: notRunning },
  };
  return describeApi(describedRoutes(ports), packageJson.version);
}

function describedRoutes(ports: ApiPorts): readonly Route[] {
  return [
    ...v1FoodRoutes(ports),
    ...ownFoodRoutes(ports),
    ...diaryRoutes(ports),
    ...authRoutes(ports),
    ...keyRoutes(ports),
    ...v1ScanRoutes(ports),
    ...unversionedFoodRoutes(ports),
    ...unversionedScanRoutes(ports),
    ...operationsRoutes(ports),
    ...objectRoutes(ports),
    ...storageEventRoutes(ports),
  ];
}
