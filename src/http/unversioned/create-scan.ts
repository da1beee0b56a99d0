import { z } from 'zod';
import type { Scans } from '../../scan/jobs/scans.ts';
import { BODY_LIMITS } from '../server/connection/limits.ts';
import { operation } from '../server/operation.ts';
import { newScanFields, parseImageType } from '../shared/new-scan.ts';
import { EXAMPLE_SCAN, EXAMPLE_UPLOAD_URL, toPublicUrl } from '../shared/scan-parts.ts';

const PATH = '/scan/image';

const newScanSchema = z
  .strictObject(newScanFields)
  .meta({ id: 'UnversionedScanInput' })
  .transform((scan) => ({
    ...scan,
    contentType: parseImageType(scan.contentType),
    imageType: 'photo' as const,
  }));

const createdSchema = z
  .object({
    jobId: z.string(),
    uploadUrl: z.string().describe('PUT the bytes of the image here, with the announced Content-Type.'),
  })
  .meta({ id: 'UnversionedCreatedScan' });

export const createScan = operation({
  method: 'POST',
  path: PATH,
  id: 'createScan',
  tag: 'Scans (unversioned)',
  summary: 'Begin a scan',
  description: 'Send the image to `uploadUrl` next, at most 10 MiB, within 15 minutes.',
  access: { credential: 'x-api-key', scope: 'scan' },
  counts: 'scanCreate',
  body: {
    schema: newScanSchema,
    example: { clientId: 'acme', contentType: 'image/jpeg' },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    status: 201,
    description: 'The job, with Location.',
    headers: ['Location'],
    schema: createdSchema,
    example: { jobId: EXAMPLE_SCAN.id, uploadUrl: EXAMPLE_UPLOAD_URL },
  },
  errors: ['invalid_content_type', 'quota_exceeded', 'storage_full'],
  handle: async ({ caller: { tenant }, body, ids, origin }, { scans }: { scans: Scans }) => {
    const { job, uploadAddress } = await scans.create({ tenant }, body, ids);
    return { value: { jobId: job.id, uploadUrl: toPublicUrl(uploadAddress, origin) }, created: job.id };
  },
});
