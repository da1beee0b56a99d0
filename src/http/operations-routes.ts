import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { SharedLimits } from '../limits/shared-limits.ts';
import type { Route } from './route.ts';
import type { ServiceStatus } from './service-status.ts';

export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export interface OperationsPorts {
  readonly status: () => ServiceStatus;
  /** Resolves when the database answers, rejects when it does not. */
  readonly checkDatabase: () => Promise<void>;
  readonly sharedLimits: SharedLimits | undefined;
  /** Of all threads together, as Prometheus reads them. */
  readonly collectMetrics: () => Promise<string>;
}

const readiness = z.object({
  status: z.literal('ready'),
  catalogue: z.object({ name: z.string(), foods: z.int(), checksum: z.string() }),
  catalogueProblem: z.string().optional().describe('Why a newer catalogue was refused.'),
  activeCatalogue: z
    .string()
    .optional()
    .describe(
      'In a cluster: name of the active catalogue, which this node answers from or is on its way to.',
    ),
  limitsCountedBy: z
    .enum(['cluster', 'node'])
    .optional()
    .describe('In a cluster: `node` while Redis is away and each node counts requests for itself.'),
});

/** Health and metrics: for load balancers and whoever runs the service. */
export function operationsRoutes({
  status,
  checkDatabase,
  sharedLimits,
  collectMetrics,
}: OperationsPorts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/healthz',
      access: 'public',
      operation: 'other',
      docs: {
        tag: 'Operations',
        operationId: 'getHealth',
        summary: 'Whether the process is alive',
        answer: {
          description: 'Alive.',
          schema: z.object({ status: z.literal('ok') }),
          example: { status: 'ok' },
        },
      },
      handle: () => '{"status":"ok"}',
    },
    {
      method: 'GET',
      path: '/readyz',
      access: 'public',
      operation: 'other',
      docs: {
        tag: 'Operations',
        operationId: 'getReadiness',
        summary: 'Whether requests can be answered',
        answer: {
          description: 'Ready: all API threads listen, a catalogue is loaded, the database answers.',
          schema: readiness,
          example: {
            status: 'ready',
            catalogue: { name: 'catalogue-0001', foods: 1300, checksum: '5f0c3a91' },
          },
        },
      },
      handle: async () => {
        const { phase, catalogue, catalogueProblem, following } = status();
        if (phase !== 'ready' || catalogue === undefined)
          throw notReady(`The service is ${phase}.`, { phase });
        await checkDatabase().catch((cause) => {
          throw notReady('The database does not answer.', { database: 'unreachable' }, cause);
        });
        return JSON.stringify({
          status: 'ready',
          catalogue,
          catalogueProblem: following?.problem ?? catalogueProblem,
          activeCatalogue: following?.active,
          limitsCountedBy: sharedLimits?.countedBy,
        });
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      access: { credential: 'bearer', scope: 'admin' },
      operation: 'other',
      docs: {
        tag: 'Operations',
        operationId: 'getMetrics',
        summary: 'Metrics in the Prometheus text format',
        answer: { description: 'Metrics of all threads together.', contentType: METRICS_CONTENT_TYPE },
      },
      handle: async (_request, reply) => {
        const text = await collectMetrics();
        reply.header('content-type', METRICS_CONTENT_TYPE);
        return text;
      },
    },
  ];
}

function notReady(message: string, details: Record<string, string>, cause?: unknown): AppError {
  return new AppError({ code: 'unavailable', message, details, cause });
}
