import { z } from 'zod';
import type { Scans } from '../../scan/jobs/scans.ts';
import { operation } from '../server/operation.ts';
import { EXAMPLE_SCAN } from '../shared/scan-parts.ts';
import { scanJson, scanSchema } from './scan-json.ts';

export const getScan = operation({
  method: 'GET',
  path: '/scan/image/:jobId',
  id: 'getScan',
  tag: 'Scans (unversioned)',
  summary: 'Ask for the result of a scan',
  access: { credential: 'x-api-key', scope: 'scan' },
  counts: 'scanPoll',
  params: z.object({
    jobId: z.string().describe('Of a scan job.').meta({ example: EXAMPLE_SCAN.id }),
  }),
  answer: {
    description: '`processing` until there is a result.',
    schema: scanSchema,
    example: scanJson(EXAMPLE_SCAN),
  },
  errors: ['scan_job_not_found'],
  handle: async ({ caller: { tenant }, params }, { scans }: { scans: Scans }) => ({
    value: scanJson(await scans.get({ tenant }, params.jobId)),
  }),
});
