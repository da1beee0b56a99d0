import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import type { Caller } from '../../access/api-key.ts';
import { credentialOf } from '../../access/live-credentials.ts';
import { mediaType } from '../../blobs/media-type.ts';
import { MAX_OBJECT_BYTES } from '../../blobs/object-store.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { LAST_ORDER, type ScanFeed } from '../../scan/jobs/scan-feed.ts';
import type { Scans } from '../../scan/jobs/scans.ts';
import { IMAGE_ORIGINS, type ImageType, SCAN_KINDS, type ScanJob } from '../../scan/scan-job.ts';
import { diariesOf, viewerOf } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import type { EventStreams } from '../event-streams.ts';
import { isoTime } from '../fields.ts';
import { langQuery } from '../foods/food-query.ts';
import { operation, type Reply } from '../operation.ts';
import { text } from '../text-schemas.ts';
import { analysisSchema } from './analysis-schema.ts';
import {
  EXAMPLE_SCAN,
  EXAMPLE_UPLOAD_URL,
  jobParams,
  resultUrlOf,
  scanEventSchema,
  scanInLanguages,
  scanMessageSchema,
  scanObject,
  scanSchema,
  stateJson,
  toPublicUrl,
  withoutHabits,
} from './scan-json.ts';

const PATH = '/v1/scan/image';
const shared = { tag: 'Scans', access: { credential: 'bearer', scope: 'scan' } } as const;

const IMAGE_TYPES: readonly ImageType[] = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'image/heif',
];
const MAX_CLIENT_ID = 200;

/** The fields of a new scan that both variants have. */
export const newScanFields = {
  clientId: text(MAX_CLIENT_ID)
    .describe('The app or device. It is stored with the job and gives no access.')
    .meta({ example: 'phone-1' }),
  contentType: z
    .string()
    .describe(`The type of the image that will be sent: ${IMAGE_TYPES.join(', ')}.`)
    .meta({ enum: IMAGE_TYPES, example: 'image/jpeg' }),
  contentLength: z
    .int()
    .min(1)
    .max(MAX_OBJECT_BYTES)
    .optional()
    .describe(
      'The length of the image in bytes. If you give it, the upload URL accepts only this length; send it as Content-Length.',
    ),
};

/** Accepts common other names, such as `image/jpg`. Throws `invalid_content_type` for an unsupported type. */
export function parseImageType(contentType: string): ImageType {
  const type = mediaType(contentType) as ImageType;
  if (IMAGE_TYPES.includes(type)) return type;
  throw new AppError({
    code: 'invalid_content_type',
    message: `The contentType has to be one of ${IMAGE_TYPES.join(', ')}.`,
    details: { allowed: IMAGE_TYPES },
  });
}

const newScanSchema = z
  .strictObject({
    ...newScanFields,
    imageType: z
      .enum(IMAGE_ORIGINS)
      .default('photo')
      .describe('`photo` from the camera, `upload` from the gallery.'),
    kind: z
      .enum(SCAN_KINDS)
      .default('food')
      .describe(
        'What the photo is of. For a `receipt` (beta), its lines are read into `receipt` of the result, which then has no items.',
      ),
  })
  .meta({ id: 'ScanInput' })
  .transform((scan) => ({ ...scan, contentType: parseImageType(scan.contentType) }));

const createdSchema = z
  .object({
    jobId: z.string(),
    uploadUrl: z.string().describe('PUT the bytes of the image here, with the announced Content-Type.'),
    streamUrl: z
      .string()
      .describe('The stream of this job for readers that cannot send a credential, such as EventSource.'),
    status: z.literal('upload_pending'),
    created_at: z.iso.datetime(),
    uploadExpiresAt: z.iso.datetime(),
  })
  .meta({ id: 'CreatedScan' });

export const createScan = operation({
  ...shared,
  method: 'POST',
  path: PATH,
  id: 'createScan',
  summary: 'Create a scan',
  description: 'Send the image to `uploadUrl` next, at most 10 MiB, within 15 minutes.',
  counts: 'scanCreate',
  body: {
    schema: newScanSchema,
    example: { clientId: 'phone-1', contentType: 'image/jpeg' },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    status: 201,
    description: 'The job, with Location.',
    headers: ['Location'],
    schema: createdSchema,
    example: createdJson(EXAMPLE_SCAN, EXAMPLE_UPLOAD_URL, 'https://larder.example/v1/scan/image/…'),
  },
  errors: ['invalid_content_type', 'quota_exceeded', 'storage_full'],
  handle: async ({ caller, body, ids, baseUrl }, { scans }: { scans: Scans }) => {
    const { tenant, userId } = caller;
    const { job, uploadAddress } = await scans.create(
      { tenant, ...(userId !== undefined && { userId }) },
      { ...body, credential: credentialOf(caller), diaries: diariesOf(caller) },
      ids,
    );
    const streamUrl = `${baseUrl}${PATH}/${job.id}/stream/by-ticket?ticket=${scans.ticketOf(job)}`;
    return { value: createdJson(job, toPublicUrl(uploadAddress, baseUrl), streamUrl), created: job.id };
  },
});

export type CreatedScan = z.infer<typeof createdSchema>;

function createdJson(job: ScanJob, uploadUrl: string, streamUrl: string): CreatedScan {
  return {
    jobId: job.id,
    uploadUrl,
    streamUrl,
    status: 'upload_pending',
    created_at: isoTime(job.createdAtMs),
    uploadExpiresAt: isoTime(job.uploadExpiresAtMs),
  };
}

export const getScan = operation({
  ...shared,
  method: 'GET',
  path: '/v1/scan/image/:jobId',
  id: 'getScan',
  summary: 'Get the state of a scan',
  counts: 'scanPoll',
  params: jobParams,
  query: langQuery,
  answer: {
    description: 'The job as it is now.',
    schema: scanSchema,
    example: scanObject(EXAMPLE_SCAN, undefined),
  },
  addresses: {
    ScanResultUrl: {
      description: 'Content of `resultUrl`, available for an hour without a credential.',
      schema: analysisSchema,
    },
  },
  errors: ['scan_job_not_found'],
  handle: async (
    { caller, params, query, baseUrl },
    { scans, foods }: { scans: Scans; foods: FoodDirectory },
  ) => {
    const stored = await scans.get(viewerOf(caller), params.jobId);
    const job = scanInLanguages(readableBy(caller)(stored), foods, query.lang);
    return { value: scanObject(job, await resultUrlOf(scans, job, baseUrl)) };
  },
});

export const deleteScan = operation({
  ...shared,
  method: 'DELETE',
  path: '/v1/scan/image/:jobId',
  id: 'deleteScan',
  counts: 'other',
  summary: 'Delete a scan',
  description: 'Job, image and result; diary entries that were made from it stay.',
  params: jobParams,
  answer: { status: 204, description: 'The scan is deleted.' },
  errors: ['scan_job_not_found'],
  handle: async ({ caller, params }, { scans }: { scans: Scans }) => {
    await scans.remove(viewerOf(caller), params.jobId);
  },
});

/** What a caller sees of a job. */
function readableBy({ scopes }: Caller): (job: ScanJob) => ScanJob {
  return scopes.includes('diary:read') ? (job) => job : withoutHabits;
}

interface StreamPorts {
  readonly scans: Scans;
  readonly scanFeed: ScanFeed;
  readonly streams: EventStreams;
}

const streamHeaders = z.object({
  'Last-Event-ID': z
    .string()
    .optional()
    .describe('The `id` of the last message that was read: only later ones follow.')
    .transform(parseLastSeen),
});

const streamAnswer = {
  description:
    'Server-Sent Events: `data:` lines with `{status, jobId}`, the state now and each later one; `completed` has ' +
    '`result` and `resultUrl`, `failed` has `error`. Then the service closes.',
  contentType: 'text/event-stream',
  schema: scanMessageSchema,
} as const;
const streamEnd = {
  204: 'Last-Event-ID is the last message: no other follows, so do not connect again.',
};

export const streamScan = operation({
  ...shared,
  method: 'GET',
  path: '/v1/scan/image/:jobId/stream',
  id: 'streamScan',
  summary: 'Follow a scan until it ends',
  counts: 'stream',
  params: jobParams,
  headers: streamHeaders,
  answer: streamAnswer,
  leadsTo: [scanEventSchema],
  empty: streamEnd,
  errors: ['scan_job_not_found'],
  handle: async (request, ports: StreamPorts) => {
    const job = await ports.scans.get(viewerOf(request.caller), request.params.jobId);
    const readable = readableBy(request.caller);
    return streamReply(job, request, ports, { recheck: () => request.recheck(), readable });
  },
});

/** Serves the stream to readers that cannot send a credential. */
export const followScan = operation({
  method: 'GET',
  path: '/v1/scan/image/:jobId/stream/by-ticket',
  id: 'followScan',
  tag: 'Scans',
  summary: 'Follow a scan by its streamUrl',
  description: 'Content of `streamUrl`: the same stream, for anyone with the ticket of this job.',
  access: 'public',
  counts: 'stream',
  params: jobParams,
  query: z.object({
    // A missing ticket is rejected like a wrong one.
    ticket: z.preprocess(String, z.string()).describe('As it was given.'),
  }),
  headers: streamHeaders,
  answer: streamAnswer,
  leadsTo: [scanEventSchema],
  empty: streamEnd,
  errors: ['scan_job_not_found'],
  handle: async (request, ports: StreamPorts) => {
    const job = await ports.scans.getByTicket(request.params.jobId, request.query.ticket);
    // A job has habits only if the credential that got the ticket may read the diary.
    const recheck = () => ports.scans.requireLiveCredential(job);
    return streamReply(job, request, ports, { recheck, readable: (now) => now });
  },
});

interface StreamRequest {
  readonly headers: z.output<typeof streamHeaders>;
  readonly requestId: string;
  readonly baseUrl: string;
}

function streamReply(
  job: ScanJob,
  { headers, requestId, baseUrl }: StreamRequest,
  { scans, scanFeed, streams }: StreamPorts,
  {
    recheck,
    readable,
  }: { readonly recheck: () => Promise<void>; readonly readable: (job: ScanJob) => ScanJob },
): Reply {
  const seenOrder = headers['Last-Event-ID'];
  if (seenOrder >= LAST_ORDER) return { status: 204 };
  return streams.reply({
    about: { requestId, scan: job.id },
    recheck,
    async *follow(signal) {
      for await (const { order, status, job: now } of scanFeed.watch(job, seenOrder, signal)) {
        const state = stateJson(readable(now), status, await resultUrlOf(scans, now, baseUrl));
        yield { id: order, data: JSON.stringify(state) };
      }
    },
  });
}

/** The order of the last state that the client has received; 0 for an unknown id. */
function parseLastSeen(header: string | undefined): number {
  return header !== undefined && /^[1-9]$/.test(header) ? Number(header) : 0;
}
