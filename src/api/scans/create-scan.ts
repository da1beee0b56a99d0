import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import { credentialOf } from '../../access/live-credentials.ts';
import { mediaType } from '../../blobs/media-type.ts';
import { MAX_OBJECT_BYTES } from '../../blobs/object-store.ts';
import type { Scans } from '../../scan/jobs/scans.ts';
import { IMAGE_ORIGINS, type ImageType, type ScanJob } from '../../scan/scan-job.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { isoTime } from '../fields.ts';
import { operation } from '../operation.ts';
import { text } from '../text-schemas.ts';
import { EXAMPLE_SCAN, EXAMPLE_UPLOAD_URL, toPublicUrl } from './scan-parts.ts';

const PATH = '/v1/scan/image';

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
  method: 'POST',
  path: PATH,
  id: 'createScanV1',
  tag: 'Scans (v1)',
  summary: 'Create a scan',
  description: 'Send the image to `uploadUrl` next, at most 10 MiB, within 15 minutes.',
  access: { credential: 'bearer', scope: 'scan' },
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
      { ...body, credential: credentialOf(caller) },
      ids,
    );
    const streamUrl = `${baseUrl}${PATH}/${job.id}/events?ticket=${scans.ticketOf(job)}`;
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
