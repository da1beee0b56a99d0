import type { Operation } from '../api/operation.ts';
import { type ApiPorts, OPERATIONS } from '../api/operations.ts';
import { serveMcp } from '../faces/mcp/serve-mcp.ts';
import { unversionedFoods } from '../faces/unversioned/foods.ts';
import { unversionedScans } from '../faces/unversioned/scans.ts';
import { getOpenApi, getUnversionedOpenApi } from './openapi/get-openapi.ts';
import { getReferencePage, getReferenceScript } from './openapi/reference-page.ts';
import { getFrontPage } from './service/front-page.ts';
import { getHealth, getReadiness, type ReadinessPorts } from './service/health.ts';
import { getMetrics, type MetricsPorts } from './service/metrics.ts';
import { PAGE, type PagePorts } from './service/page.ts';
import { receiveStorageEvent, type StorageEventPorts } from './service/receive-storage-event.ts';
import { getObject, putObject, type SignedUrlPorts } from './service/signed-objects.ts';

/** Additional ports of operations of the service itself. */
export interface ServicePorts
  extends ApiPorts,
    SignedUrlPorts,
    StorageEventPorts,
    ReadinessPorts,
    PagePorts,
    MetricsPorts {}

/** All operations that the service answers, in the order of the OpenAPI documents. */
export const ALL_OPERATIONS: readonly Operation<ServicePorts>[] = [
  ...OPERATIONS,
  ...unversionedFoods,
  ...unversionedScans,
  serveMcp,
  ...[getFrontPage, getHealth, getReadiness, getMetrics],
  ...[putObject, getObject, receiveStorageEvent],
  ...[getOpenApi, getUnversionedOpenApi, getReferencePage, getReferenceScript],
  ...PAGE,
];
