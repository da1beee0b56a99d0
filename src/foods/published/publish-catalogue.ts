import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { OperatorError } from '@larder/core/errors.ts';
import type { Pause } from '../../base/pause.ts';
import { retry } from '../../base/retry.ts';
import type { ListedObject, ObjectKey, ObjectStore } from '../../blobs/object-store.ts';
import { type CatalogueInfo, catalogueName } from '../catalogue/catalogue-info.ts';
import {
  eachPart,
  listParts,
  PART_CONTENT_TYPE,
  partKey,
  readFilePart,
  sha256Hex,
} from './catalogue-parts.ts';
import type { CatalogueVersions } from './catalogue-versions.ts';
import { type CatalogueVersion, MAX_PUBLISHED_BYTES, PART_BYTES, partExtent } from './catalogue-versions.ts';

/** Parts that are sent concurrently; each is in memory. */
const UPLOADS_AT_ONCE = 2;
const MAX_ATTEMPTS = 3;
const RETRY_MS = 1_000;
const HOUR_MS = 60 * 60_000;
/**
 * Parts of an interrupted upload are reused while they are younger than this; older ones may be removed at
 * any time.
 */
const RESUMABLE_MS = 12 * HOUR_MS;
export const ABANDONED_MS = 24 * HOUR_MS;

export interface PublishRequest {
  /** A verified catalogue. */
  readonly file: string;
  readonly info: CatalogueInfo;
  readonly objects: Pick<ObjectStore, 'put' | 'list'>;
  readonly versions: CatalogueVersions;
  /** Sends all parts, including those that are stored, for example after some were damaged. */
  readonly sendAll: boolean;
  readonly nowMs: () => number;
  readonly pause?: Pause;
  readonly onProgress: (doneBytes: number) => void;
  /** At most `PART_BYTES`. */
  readonly partBytes?: number;
}

export interface PublishResult {
  readonly version: CatalogueVersion;
  readonly sentParts: number;
}

/**
 * Sends a catalogue to the object store in parts, and adds the version when all parts are stored. An
 * interrupted upload is not visible, and the next one continues it. Throws an `OperatorError` if the
 * catalogue is too large.
 */
export async function publishCatalogue(request: PublishRequest): Promise<PublishResult> {
  const { file, info, versions, nowMs } = request;
  const name = catalogueName(info);
  if (info.bytes > MAX_PUBLISHED_BYTES) {
    throw new OperatorError(`${file} has ${info.bytes} bytes; ${MAX_PUBLISHED_BYTES} can be published.`);
  }
  const known = await versions.find(name);
  const partBytes = known?.partBytes ?? request.partBytes ?? PART_BYTES;
  const { parts, sentParts } = await sendParts({ ...request, partBytes }, name, known !== undefined);
  const version: CatalogueVersion = {
    name,
    formatVersion: info.formatVersion,
    foods: info.foods,
    bytes: info.bytes,
    compiledAtMs: info.createdAt,
    publishedAtMs: known?.publishedAtMs ?? nowMs(),
    partBytes,
    parts,
  };
  await requireAll(request, version);
  if (await versions.add(version)) return { version, sentParts };
  const there = await versions.find(name);
  if (there === undefined || there.parts.join() !== parts.join()) {
    throw new OperatorError(
      `Another catalogue was published as ${name}; import or rebuild, then publish that.`,
    );
  }
  return { version: there, sentParts };
}

async function sendParts(
  request: PublishRequest & { readonly partBytes: number },
  name: string,
  isKnown: boolean,
) {
  const { file, info, partBytes, onProgress } = request;
  const stored = await findStored(request, name, isKnown);
  const count = Math.ceil(info.bytes / partBytes);
  const parts: string[] = Array.from({ length: count });
  let [doneBytes, sentParts] = [0, 0];
  await using handle = await open(file, 'r');
  await eachPart({ count, atOnce: UPLOADS_AT_ONCE }, async (part) => {
    const extent = partExtent({ bytes: info.bytes, partBytes }, part);
    const bytes = await readFilePart(handle, extent);
    if (bytes.length < extent.length) throw new OperatorError(`${file} became shorter while it was read.`);
    const sha256 = sha256Hex(bytes);
    const key = partKey(name, sha256);
    if (stored.get(key) !== bytes.length) {
      await put(request, key, bytes);
      sentParts++;
    }
    parts[part] = sha256;
    doneBytes += bytes.length;
    onProgress(doneBytes);
  });
  return { parts, sentParts };
}

/** Sizes of stored parts that need not be sent: all of an existing version, otherwise those that are young enough. */
async function findStored(
  { objects, sendAll, nowMs }: PublishRequest,
  name: string,
  isKnown: boolean,
): Promise<ReadonlyMap<ObjectKey, number>> {
  const stored = new Map<ObjectKey, number>();
  if (sendAll) return stored;
  for (const { key, sizeBytes, storedAtMs } of await listedParts(objects, name)) {
    if (isKnown || nowMs() - storedAtMs < RESUMABLE_MS) stored.set(key, sizeBytes);
  }
  return stored;
}

function put({ objects, pause }: PublishRequest, key: ObjectKey, bytes: Buffer): Promise<void> {
  const attempt = () =>
    objects.put({
      key,
      contentType: PART_CONTENT_TYPE,
      body: Readable.from([bytes]),
      size: { maxBytes: bytes.length, exactBytes: bytes.length },
    });
  const delayMs = (cause: unknown, failures: number) => {
    if (failures === MAX_ATTEMPTS) throw storeFailed(cause);
    return RETRY_MS * failures;
  };
  return retry(attempt, { delayMs, pause });
}

/** Throws if a part is missing, because a stored part may have been removed meanwhile. */
async function requireAll({ objects }: PublishRequest, version: CatalogueVersion): Promise<void> {
  const there = new Set((await listedParts(objects, version.name)).map(({ key }) => key));
  if (version.parts.some((sha256) => !there.has(partKey(version.name, sha256)))) {
    throw new OperatorError('Uploaded parts are missing in the object store; publish again.');
  }
}

function listedParts(objects: PublishRequest['objects'], name: string): Promise<readonly ListedObject[]> {
  return listParts(objects, name).catch((cause) => {
    throw storeFailed(cause);
  });
}

function storeFailed(cause: unknown): OperatorError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OperatorError(
    `The object store does not accept the catalogue: ${reason}. Nothing is published; run the command again to continue.`,
    { cause },
  );
}
