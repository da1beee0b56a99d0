import type { Arrivals } from '../../scan/jobs/upload-events.ts';
import { BODY_LIMITS } from '../server/limits.ts';
import { noContent } from '../server/no-content.ts';
import { readBody } from '../server/read-body.ts';
import type { Route } from '../server/route.ts';
import { storageEventSchema, storedKeys } from './storage-event.ts';

const STORAGE_EVENTS_PATH = '/internal/storage-events';

export interface StorageEvents {
  /** What the object store shows as a bearer token. */
  readonly secret: string;
  readonly bucket: string;
}

export interface StorageEventRoutesPorts {
  readonly arrivals: () => Arrivals;
  /** Undefined where no object store is expected to call. */
  readonly storageEvents: StorageEvents | undefined;
}

/**
 * Where an object store notifies us of uploads, so that we need not look for them. No part of the API: only the store
 * calls it, as often as images come, so it is outside of rate limits.
 */
export function storageEventRoutes({ arrivals, storageEvents }: StorageEventRoutesPorts): readonly Route[] {
  if (storageEvents === undefined) return [];
  const { secret, bucket } = storageEvents;
  return [
    {
      method: 'POST',
      path: STORAGE_EVENTS_PATH,
      access: { secret },
      operation: 'uncounted',
      bodyLimit: BODY_LIMITS.batch,
      handle: async (request, reply) => {
        for (const key of storedKeys(readBody(storageEventSchema, request.body), bucket)) {
          await arrivals().stored(key);
        }
        return noContent(reply);
      },
    },
  ];
}
