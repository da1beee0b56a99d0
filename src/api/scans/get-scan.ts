import type { FoodDirectory } from '../../foods/visible-foods.ts';
import type { Scans } from '../../scan/jobs/scans.ts';
import { viewerOf } from '../acting-user.ts';
import { langQuery } from '../foods/food-query.ts';
import { operation } from '../operation.ts';
import { analysisSchema } from './analysis-schema.ts';
import { jobParams, scanInLanguages, scanObject, scanSchema } from './scan-json.ts';
import { EXAMPLE_SCAN, resultUrlOf } from './scan-parts.ts';

export const getScan = operation({
  method: 'GET',
  path: '/v1/scan/image/:jobId',
  id: 'getScanV1',
  tag: 'Scans (v1)',
  summary: 'Get the state of a scan',
  access: { credential: 'bearer', scope: 'scan' },
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
    const job = scanInLanguages(stored, foods, query.lang);
    return { value: scanObject(job, await resultUrlOf(scans, job, baseUrl)) };
  },
});
