import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import { viewerOf } from '../../../api/acting-user.ts';
import type { ScanObject } from '../../../api/scans/scan-json.ts';
import { type CreatedScan, createScan, getScan } from '../../../api/scans/scans.ts';
import { pause } from '../../../base/pause.ts';
import { invalidField } from '../../../diary/records/invalid-field.ts';
import { nutrients, rounded } from '../amounts.ts';
import { ADDS, ask, type ToolContext, tool } from '../tool.ts';
import { idempotencyKeyInput, writeOnce } from '../writes.ts';

/** Larger photos use the upload URL, so that no message is larger than other bodies. */
const MAX_INLINE_BYTES = 700_000;
const MAX_BASE64_LENGTH = Math.ceil(MAX_INLINE_BYTES / 3) * 4 + 64;
/** Time after which the answer says that the scan still runs: less than clients wait for a tool. */
const MAX_WAIT_MS = 25_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;
/** Maximum calls of one credential on each thread that wait for a scan; others are answered at once. */
const MAX_WAITING = 4;
/** The pattern is matched in one pass for any input. */
const NO_BASE64 = /[^\w+/=\s-]/;
const DATA_URL = /^data:(image\/[\w.+-]+);base64,/;

const item = z.object({
  name: z.string(),
  foodId: z.string().optional(),
  grams: z.number().optional(),
  serving: z.string(),
  weightUnknown: z
    .boolean()
    .optional()
    .describe('The label gives its values for one serving without a weight; log_meal writes 1 serving.'),
  confidence: z.number().describe('Probability that it is this food, 0 to 1.'),
  unsure: z.boolean().describe('log_meal writes unsure items only with saveUnsure.'),
  origin: z.string().describe('dish, barcode or label.'),
  nutrients: nutrients.describe('Of the serving; estimates if origin is dish.'),
  alternatives: z.array(z.object({ foodId: z.string(), name: z.string(), confidence: z.number() })),
});

const upload = z.object({
  url: z.string().describe('Takes the bytes of the image by PUT, without a credential.'),
  contentType: z.string().describe('Header Content-Type of the PUT.'),
  expiresAt: z.string(),
});

const scanResult = z.object({
  scanJobId: z.string(),
  status: z.enum(['upload_pending', 'processing', 'completed', 'failed']),
  upload: upload.optional(),
  items: z.array(item).optional(),
  next: z.string().optional().describe('How the result is had, while there is none.'),
});

const CLIENT_ID = 'mcp';
type Result = z.input<typeof scanResult>;

export const scanPhotoTool = tool({
  name: 'scan_photo',
  title: 'Scan a photo of food',
  description:
    'Recognizes food, barcodes and labels on a photo. Takes the photo itself; without one it answers an upload address, and with the ' +
    'scanJobId the result. log_meal writes a scan to the diary by its scanJobId.',
  scope: 'scan',
  user: 'none',
  annotations: ADDS,
  input: z.strictObject({
    imageBase64: z
      .string()
      .max(MAX_BASE64_LENGTH)
      .optional()
      .describe(
        `At most ${MAX_INLINE_BYTES / 1_000} kB of image; larger ones, up to 10 MiB, to the upload address.`,
      ),
    contentType: z
      .string()
      .default('image/jpeg')
      .describe('image/jpeg, image/png, image/webp or image/heic.'),
    scanJobId: z.string().optional().describe('Id of a scan that was begun before.'),
    idempotencyKey: idempotencyKeyInput,
  }),
  output: scanResult,
  async run({ imageBase64, contentType, scanJobId, idempotencyKey }, context) {
    if (scanJobId !== undefined) return stateOf(await waitFor(scanJobId, context));
    if (imageBase64 === undefined) return begin(contentType, idempotencyKey, context);
    const image = decode(imageBase64);
    const type = DATA_URL.exec(imageBase64)?.[1] ?? contentType;
    const { value } = await writeOnce<CreatedScan>(context, createScan, {
      body: { clientId: CLIENT_ID, contentType: type, contentLength: image.length },
      // The photo determines the idempotency key: the same one is not analysed twice.
      idempotencyKey: idempotencyKey ?? imageBase64,
    });
    const job = await context.scans.get(viewerOf(context.caller), value.jobId);
    if (job.status === 'upload_pending') await context.scans.receive(job, image);
    return stateOf(await waitFor(value.jobId, context));
  },
});

async function begin(
  contentType: string,
  idempotencyKey: string | undefined,
  context: ToolContext,
): Promise<Result> {
  const body = { clientId: CLIENT_ID, contentType };
  const { jobId, status, uploadUrl, uploadExpiresAt } =
    idempotencyKey === undefined
      ? await ask<CreatedScan>(context, createScan, { body })
      : (await writeOnce<CreatedScan>(context, createScan, { body, idempotencyKey })).value;
  return {
    scanJobId: jobId,
    status,
    upload: { url: uploadUrl, contentType, expiresAt: uploadExpiresAt },
    next: NEXT.upload_pending,
  };
}

function decode(text: string): Buffer {
  const base64 = text.replace(DATA_URL, '');
  const image = Buffer.from(base64, 'base64');
  if (image.length === 0 || NO_BASE64.test(base64))
    throw invalidField('imageBase64', '"imageBase64" has to be an image in Base64.');
  if (image.length > MAX_INLINE_BYTES) {
    throw invalidField(
      'imageBase64',
      `The image has ${image.length} bytes, at most ${MAX_INLINE_BYTES} fit here; without imageBase64 the answer has an upload address.`,
    );
  }
  return image;
}

const waiting = new Map<string, number>();

/** The scan after it has settled, or its state at the time limit. */
async function waitFor(scanJobId: string, context: ToolContext): Promise<ScanObject> {
  const { caller, left } = context;
  const read = () => ask<ScanObject>(context, getScan, { params: { jobId: scanJobId } });
  const name = `${caller.key.id}/${caller.userId ?? ''}`;
  const others = waiting.get(name) ?? 0;
  const untilMs = performance.now() + (others < MAX_WAITING ? MAX_WAIT_MS : 0);
  waiting.set(name, others + 1);
  try {
    let scan = await read();
    for (let ms = FIRST_PAUSE_MS; scan.status === 'processing'; ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
      if (performance.now() + ms > untilMs) break;
      await pause(ms, { signal: left });
      scan = await read();
    }
    return scan;
  } finally {
    const still = waiting.get(name)! - 1;
    if (still === 0) waiting.delete(name);
    else waiting.set(name, still);
  }
}

const NEXT = {
  upload_pending: 'After the upload, scan_photo with this scanJobId returns the result.',
  processing: 'The scan runs; scan_photo with this scanJobId returns the result.',
} as const;

function stateOf({ jobId, status, result, error }: ScanObject): Result {
  if (error !== undefined) throw scanFailed(error);
  const items = result?.items.map(itemOf);
  const next = status === 'upload_pending' || status === 'processing' ? NEXT[status] : undefined;
  return { scanJobId: jobId, status, items, next };
}

function scanFailed({ code, message, retryable }: NonNullable<ScanObject['error']>): AppError {
  const advice = retryable ? 'The same photo may succeed in a new scan, with another idempotencyKey.' : '';
  return new AppError({
    code: 'invalid_request',
    message: `The scan failed (${code}). ${message} ${advice}`.trim(),
    details: { status: 'failed' },
  });
}

type ScanItem = NonNullable<ScanObject['result']>['items'][number];

function itemOf({
  name,
  foodId,
  servingSize,
  weightUnknown,
  confidence,
  unsure,
  origin,
  nutrients: exact,
  alternatives,
}: ScanItem) {
  const { value, unit } = servingSize;
  return {
    name,
    foodId,
    serving: `${value} ${unit}`,
    ...(unit === 'g' && { grams: value }),
    ...(weightUnknown && { weightUnknown }),
    confidence,
    unsure: unsure === true,
    origin,
    nutrients: rounded(exact),
    alternatives: alternatives.map((other) => ({
      foodId: other.foodId,
      name: other.name,
      confidence: other.confidence,
    })),
  };
}
