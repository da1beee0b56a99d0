import { z } from 'zod';
import { BODY_LIMITS } from '../../api/body-limits.ts';
import { operation } from '../../api/operation.ts';
import { isObjectKey, type ObjectKey } from '../../blobs/object-store.ts';
import type { UploadEvents } from '../../scan/jobs/upload-events.ts';

/** S3 sends one record in a notification, other stores several. */
const MAX_RECORDS = 1_000;
/** MinIO adds the prefix `s3:`. */
const CREATED = /^(?:s3:)?ObjectCreated:/;

/**
 * The used part of a notification of an S3-compatible store; stores add fields of their own, and send a
 * notification without records to test the address. Source:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
 */
export const storageEventSchema = z.object({
  Records: z
    .array(
      z.object({
        eventName: z.string(),
        s3: z.object({ bucket: z.object({ name: z.string() }), object: z.object({ key: z.string() }) }),
      }),
    )
    .max(MAX_RECORDS)
    .optional(),
});

/** The keys of objects stored in our bucket, without repetitions; other objects are skipped. */
export function storedKeys(
  { Records = [] }: z.infer<typeof storageEventSchema>,
  bucket: string,
): ReadonlySet<ObjectKey> {
  const keys = new Set<ObjectKey>();
  for (const { eventName, s3 } of Records) {
    if (!CREATED.test(eventName) || s3.bucket.name !== bucket) continue;
    const key = decodeKey(s3.object.key);
    if (key !== undefined && isObjectKey(key)) keys.add(key);
  }
  return keys;
}

/** Encoded as in a form, with or without `%2F`. */
function decodeKey(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

export interface StorageEvents {
  /** The bearer token that the object store sends. */
  readonly secret: string;
  readonly bucket: string;
}

export interface StorageEventPorts {
  readonly uploadEvents: UploadEvents;
  /** Undefined if no object store sends notifications. */
  readonly storageEvents: StorageEvents | undefined;
}

/**
 * Receives notifications of uploads from an object store, so that the service need not poll for them. It is
 * not part of the API: only the store calls it, once for each image, so it has no rate limit.
 */
export const receiveStorageEvent = operation({
  method: 'POST',
  path: '/internal/storage-events',
  id: 'receiveStorageEvent',
  summary: 'Tell of objects that were stored',
  access: { secret: ({ storageEvents }: StorageEventPorts) => storageEvents?.secret },
  counts: 'uncounted',
  served: ({ storageEvents }: StorageEventPorts) => storageEvents !== undefined,
  body: { schema: storageEventSchema, limit: BODY_LIMITS.batch },
  answer: { status: 204, description: 'It was noted.' },
  handle: async ({ body }, { uploadEvents, storageEvents }: StorageEventPorts) => {
    for (const key of storedKeys(body, storageEvents!.bucket)) await uploadEvents.stored(key);
  },
});
