import { AppError, type DetailsOf } from '@larder/core/errors.ts';
import { z } from 'zod';
import { operation } from '../../api/operation.ts';
import type { SharedLimits } from '../../counters/counters.ts';
import type { DiskReserve } from '../../files/disk-reserve.ts';

/** Everything that anonymous callers learn about a rejected catalogue. */
export const REFUSED = 'A newer catalogue cannot be used; the log of the service says why.';

const OUTDATED =
  'A newer version has changed the database, which this one cannot use any more: start that version here, too.';

/** Everything that anonymous callers learn while a catalogue is replaced or compiled again. */
const NO_CATALOGUE =
  'The catalogue is being mended: the diary works, foods follow. The log of the service says more.';

/** Everything that anonymous callers learn about a damaged database. */
const DAMAGED = 'The database is damaged; the log of the service says what to do.';

/** State of the service as a whole, which the main thread sends to the API threads. */
export interface ServiceStatus {
  readonly phase: 'starting' | 'ready' | 'stopping';
  readonly catalogue?: LoadedCatalogue;
  /**
   * Present if the newest catalogue was rejected; the older one is still served. It contains no path, because
   * anybody may read it.
   */
  readonly catalogueProblem?: string | undefined;
  /** Present in a cluster in which a catalogue was activated. */
  readonly following?: FollowedCatalogue | undefined;
}

interface FollowedCatalogue {
  /** Name of the active catalogue. */
  readonly active: string;
  /** Reason for which it is not served. */
  readonly problem: string | undefined;
}

export interface LoadedCatalogue {
  readonly name: string;
  readonly foods: number;
  readonly checksum: string;
}

export const getHealth = operation({
  method: 'GET',
  path: '/healthz',
  id: 'getHealth',
  tag: 'Operations',
  summary: 'Check whether the process is alive',
  access: 'public',
  counts: 'health',
  answer: {
    description: 'Alive.',
    schema: z.object({ status: z.literal('ok') }).meta({ id: 'Health' }),
    example: { status: 'ok' },
  },
  handle: async () => '{"status":"ok"}',
});

export interface ReadinessPorts {
  readonly status: () => ServiceStatus;
  /** Answers in time, whatever the database does. */
  readonly isDatabaseReachable: () => Promise<boolean>;
  readonly sharedLimits: SharedLimits | undefined;
  /** Whether the database was found damaged; absent where nobody looks. */
  readonly isDatabaseDamaged?: () => boolean;
  /** Whether this program can use the tables of the database; absent where nobody else changes them. */
  readonly fitsTables?: () => Promise<boolean>;
  /** npm packages that are missing for scans of this process. */
  readonly missingScanPackages: readonly string[];
  /** Disk reserve of the data folder. */
  readonly disk: Pick<DiskReserve, 'hasRoom'>;
}

export const readinessSchema = z
  .object({
    status: z.literal('ready'),
    catalogue: z
      .object({ name: z.string(), foods: z.int(), checksum: z.string() })
      .meta({ id: 'ServedCatalogue' }),
    catalogueProblem: z
      .string()
      .optional()
      .describe(
        'The reason, in general, why a newer catalogue is not used; the log of the service has details.',
      ),
    activeCatalogue: z
      .string()
      .optional()
      .describe('In a cluster: name of the active catalogue, which this node uses or is fetching.'),
    database: z
      .enum(['reachable', 'unreachable'])
      .describe('`unreachable`: only search and barcodes work; all else is 503.'),
    databaseProblem: z
      .string()
      .optional()
      .describe('Present after damage of the database was found: what it reads may be wrong or fail.'),
    storage: z
      .enum(['available', 'full'])
      .describe(
        '`full`: the disk of the data folder has only its reserve left, so uploads and imports are refused.',
      ),
    missingScanPackages: z
      .array(z.string())
      .optional()
      .describe(
        'npm packages that are not installed. Without `sharp` there are no scans; without others scans only read barcodes.',
      ),
    limitsCountedBy: z
      .enum(['cluster', 'node'])
      .optional()
      .describe('In a cluster: `node` while Redis is unreachable and each node counts requests for itself.'),
  })
  .meta({ id: 'Readiness' });

const readinessQuery = z.object({
  require: z
    // With a misspelt parameter the check would cover less than intended.
    .literal('database', 'Only the database can be required, once: ?require=database.')
    .optional()
    .describe(
      '`database`: 503 while the database is unreachable. For a load balancer that uses all nodes if none is ready.',
    ),
});

export const getReadiness = operation({
  method: 'GET',
  path: '/readyz',
  id: 'getReadiness',
  tag: 'Operations',
  summary: 'Check whether the service can answer requests',
  description:
    'Stays 200 without the database, since all nodes of a cluster lose it at once, and search and barcodes still work.',
  access: 'public',
  counts: 'health',
  query: readinessQuery,
  answer: {
    description: 'Ready: all API threads listen, a catalogue is loaded.',
    schema: readinessSchema,
    example: {
      status: 'ready',
      catalogue: { name: 'catalogue-0001', foods: 1300, checksum: '5f0c3a91' },
      database: 'reachable',
      storage: 'available',
    },
  },
  handle: async (
    { query },
    {
      status,
      isDatabaseReachable,
      isDatabaseDamaged,
      fitsTables,
      missingScanPackages: missing,
      disk,
      sharedLimits,
    }: ReadinessPorts,
  ) => {
    const { phase, catalogue, catalogueProblem, following } = status();
    if (phase !== 'ready') throw notReady(`The service is ${phase}.`, { phase });
    if (catalogue === undefined) throw notReady(NO_CATALOGUE, {});
    const database = (await isDatabaseReachable()) ? 'reachable' : 'unreachable';
    if (query.require === 'database' && database === 'unreachable')
      throw notReady('The database does not answer.', { database });
    if ((await fitsTables?.()) === false) throw notReady(OUTDATED, {});
    const isDamaged = isDatabaseDamaged?.() === true;
    if (query.require === 'database' && isDamaged) throw notReady(DAMAGED, { database: 'unreachable' });
    return JSON.stringify({
      status: 'ready',
      catalogue,
      catalogueProblem: following?.problem ?? catalogueProblem,
      activeCatalogue: following?.active,
      database,
      databaseProblem: isDamaged ? DAMAGED : undefined,
      storage: (await disk.hasRoom().catch(() => false)) ? 'available' : 'full',
      missingScanPackages: missing.length === 0 ? undefined : missing,
      limitsCountedBy: sharedLimits?.countedBy,
    });
  },
});

function notReady(message: string, details: DetailsOf<'unavailable'>): AppError {
  return new AppError({ code: 'unavailable', message, details });
}
