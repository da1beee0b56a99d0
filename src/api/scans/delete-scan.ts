import type { Scans } from '../../scan/jobs/scans.ts';
import { viewerOf } from '../acting-user.ts';
import { operation } from '../operation.ts';
import { jobParams } from './scan-json.ts';

export const deleteScan = operation({
  method: 'DELETE',
  path: '/v1/scan/image/:jobId',
  id: 'deleteScanV1',
  tag: 'Scans (v1)',
  summary: 'Delete a scan',
  description: 'Job, image and result; diary entries that were made from it stay.',
  access: { credential: 'bearer', scope: 'scan' },
  counts: 'other',
  params: jobParams,
  answer: { status: 204, description: 'The scan is deleted.' },
  errors: ['scan_job_not_found'],
  handle: async ({ caller, params }, { scans }: { scans: Scans }) => {
    await scans.remove(viewerOf(caller), params.jobId);
  },
});
