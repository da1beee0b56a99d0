import { z } from 'zod';
import type { Scans } from '../../scan/jobs/scans.ts';
import { EXAMPLE_SCAN, EXAMPLE_UPLOAD_URL } from '../scans/example-scan.ts';
import { readScanRequest, unversionedNewScanSchema } from '../scans/new-scan.ts';
import { toPublicAddress } from '../scans/public-url.ts';
import { BODY_LIMITS } from '../server/limits.ts';
import { publicOrigin } from '../server/public-origin.ts';
import type { Route } from '../server/route.ts';
import { scanJson, scanSchema } from './scan-json.ts';

const access = { credential: 'x-api-key', scope: 'scan' } as const;
const tag = 'Scans (unversioned)';
const PATH = '/scan/image';

const createdSchema = z
  .object({
    jobId: z.string(),
    uploadUrl: z.string().describe('PUT the bytes of the image here, with the announced Content-Type.'),
  })
  .meta({ id: 'UnversionedCreatedScan' });

export interface ScanRoutesPorts {
  readonly scans: () => Scans;
  /** As configured; absent: as the client asked. */
  readonly publicUrl: string | undefined;
}

export function scanRoutes({ scans, publicUrl }: ScanRoutesPorts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: PATH,
      access,
      operation: 'scanCreate',
      bodyLimit: BODY_LIMITS.fields,
      docs: {
        tag,
        operationId: 'createScan',
        summary: 'Begin a scan',
        description: 'Send the image to `uploadUrl` next, at most 10 MiB, within 15 minutes.',
        body: {
          schema: unversionedNewScanSchema,
          example: { clientId: 'acme', contentType: 'image/jpeg' },
        },
        answer: {
          status: 201,
          description: 'The job, with Location.',
          headers: ['Location'],
          schema: createdSchema,
          example: { jobId: EXAMPLE_SCAN.id, uploadUrl: EXAMPLE_UPLOAD_URL },
        },
        errors: ['invalid_content_type', 'quota_exceeded', 'storage_full'],
      },
      handle: async (request, reply) => {
        const { job, uploadAddress } = await scans().create(
          { tenant: request.caller!.tenant },
          readScanRequest(unversionedNewScanSchema, request.body),
          request.ids,
        );
        reply.code(201).header('location', `${PATH}/${job.id}`);
        const uploadUrl = toPublicAddress(uploadAddress, publicOrigin(request, publicUrl));
        return JSON.stringify({ jobId: job.id, uploadUrl });
      },
    },
    {
      method: 'GET',
      path: `${PATH}/:jobId`,
      access,
      operation: 'scanPoll',
      docs: {
        tag,
        operationId: 'getScan',
        summary: 'Ask for the result of a scan',
        params: z.object({
          jobId: z.string().describe('Of a scan job.').meta({ example: EXAMPLE_SCAN.id }),
        }),
        answer: {
          description: '`processing` until there is a result.',
          schema: scanSchema,
          example: scanJson(EXAMPLE_SCAN),
        },
        errors: ['scan_job_not_found'],
      },
      handle: async ({ caller, params }) =>
        JSON.stringify(scanJson(await scans().get({ tenant: caller!.tenant }, params['jobId']!))),
    },
  ];
}
