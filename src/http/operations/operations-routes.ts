import { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { DiskReserve } from '../../files/disk-reserve.ts';
import type { SharedLimits } from '../../limits/counters.ts';
import type { Route } from '../server/route.ts';
import type { ServiceStatus } from './health.ts';

const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export interface OperationsPorts {
  readonly status: () => ServiceStatus;
  /** Answers in time, whatever the database does. */
  readonly isDatabaseReachable: () => Promise<boolean>;
  readonly sharedLimits: SharedLimits | undefined;
  /** Of the data folder. */
  readonly disk: Pick<DiskReserve, 'hasRoom'>;
  /** Of all threads together, as Prometheus reads them. */
  readonly collectMetrics: () => Promise<string>;
}

const readiness = z.object({
  status: z.literal('ready'),
  catalogue: z.object({ name: z.string(), foods: z.int(), checksum: z.string() }),
  catalogueProblem: z
    .string()
    .optional()
    .describe(
      'A newer catalogue is not answered from, and why in general; the log of the service has the details.',
    ),
  activeCatalogue: z
    .string()
    .optional()
    .describe(
      'In a cluster: name of the active catalogue, which this node answers from or is on its way to.',
    ),
  database: z
    .enum(['reachable', 'unreachable'])
    .describe('`unreachable`: search and barcodes are answered, everything else is 503.'),
  storage: z
    .enum(['available', 'full'])
    .describe(
      '`full`: the disk of the data folder has no more than its reserve free, so uploads of images and imports are refused.',
    ),
  limitsCountedBy: z
    .enum(['cluster', 'node'])
    .optional()
    .describe('In a cluster: `node` while Redis is away and each node counts requests for itself.'),
});

const readinessQuery = z.object({
  require: z
    .literal('database')
    .optional()
    .describe(
      '`database`: 503 while the database is unreachable. For a load balancer that knows to go on when all nodes say so.',
    ),
});

/** Health and metrics: for load balancers and whoever runs the service. */
export function operationsRoutes({
  status,
  isDatabaseReachable,
  sharedLimits,
  disk,
  collectMetrics,
}: OperationsPorts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/healthz',
      access: 'public',
      operation: 'health',
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
      operation: 'health',
      docs: {
        tag: 'Operations',
        operationId: 'getReadiness',
        summary: 'Whether requests can be answered',
        description:
          'Nodes of a cluster lose their database all at once, so that is no reason to send nobody to them: search and barcodes go on.',
        query: readinessQuery,
        answer: {
          description: 'Ready: all API threads listen, a catalogue is loaded.',
          schema: readiness,
          example: {
            status: 'ready',
            catalogue: { name: 'catalogue-0001', foods: 1300, checksum: '5f0c3a91' },
            database: 'reachable',
            storage: 'available',
          },
        },
      },
      handle: async ({ query }) => {
        const requiresDatabase = parseRequired(query['require']);
        const { phase, catalogue, catalogueProblem, following } = status();
        if (phase !== 'ready' || catalogue === undefined)
          throw notReady(`The service is ${phase}.`, { phase });
        const database = (await isDatabaseReachable()) ? 'reachable' : 'unreachable';
        if (requiresDatabase && database === 'unreachable')
          throw notReady('The database does not answer.', { database });
        return JSON.stringify({
          status: 'ready',
          catalogue,
          catalogueProblem: following?.problem ?? catalogueProblem,
          activeCatalogue: following?.active,
          database,
          storage: (await disk.hasRoom().catch(() => false)) ? 'available' : 'full',
          limitsCountedBy: sharedLimits?.countedBy,
        });
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      access: { credential: 'bearer', scope: 'metrics' },
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

/** A slip here would quietly ask for less than was meant. */
function parseRequired(text: string | string[] | undefined): boolean {
  if (text === undefined || text === 'database') return text !== undefined;
  const message = 'Only the database can be required, once: ?require=database.';
  throw new AppError({ code: 'invalid_request', message, details: { fields: ['require'] } });
}

function notReady(message: string, details: Record<string, string>): AppError {
  return new AppError({ code: 'unavailable', message, details });
}
