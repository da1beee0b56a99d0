import { z } from 'zod';
import type { ScanOverview } from '../../scan/jobs/scan-overview.ts';
import { isoTime } from '../fields.ts';
import { operation } from '../operation.ts';
import { OPERATOR_TAG, operatorAccess } from './operator-parts.ts';

const MAX_FAILURES = 50;

const queueSchema = z
  .object({
    queue: z
      .object({
        uploadPending: z.int().describe('Scans whose image is awaited.'),
        waiting: z.int().describe('Images that no worker has taken.'),
        running: z.int(),
      })
      .meta({ id: 'ScanQueueDepth' }),
    oldestQueuedAt: z.iso
      .datetime()
      .optional()
      .describe('Since when the first waiting image could be worked on.'),
    failures: z
      .array(
        z
          .object({
            id: z.string(),
            tenant: z.string(),
            failedAt: z.iso.datetime(),
            code: z.string(),
            message: z.string(),
          })
          .meta({ id: 'FailedScan' }),
      )
      .describe(`The last ${MAX_FAILURES} among the last 2,000 scans, newest first.`),
  })
  .meta({ id: 'ScanQueue' });

export const getScanQueue = operation({
  method: 'GET',
  path: '/v1/operator/scans',
  id: 'getScanQueue',
  tag: OPERATOR_TAG,
  summary: 'The queue of scans of all tenants, and the last failures',
  access: operatorAccess,
  counts: 'other',
  answer: {
    description: 'The queue.',
    schema: queueSchema,
    example: {
      queue: { uploadPending: 1, waiting: 3, running: 2 },
      oldestQueuedAt: '2026-01-01T00:00:00.000Z',
      failures: [
        {
          id: '01kg9v3h00000xw5m8kq2nce7a',
          tenant: 'default',
          failedAt: '2026-01-01T00:00:00.000Z',
          code: 'no_food_detected',
          message: 'No food was found on the photo.',
        },
      ],
    },
  },
  handle: async (_request, { scanOverview }: { scanOverview: ScanOverview }) => {
    const { waiting, running, uploadPending, oldestDueAtMs, failures } =
      await scanOverview.queue(MAX_FAILURES);
    return {
      value: {
        queue: { uploadPending, waiting, running },
        oldestQueuedAt: oldestDueAtMs === undefined ? undefined : isoTime(oldestDueAtMs),
        failures: failures.map(({ id, tenant, failedAtMs, failure: { code, message } }) => ({
          id,
          tenant,
          failedAt: isoTime(failedAtMs),
          code,
          message,
        })),
      },
    };
  },
});
