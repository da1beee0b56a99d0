import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { KeptEvent, SecurityEventStore } from '../../access/security-event-store.ts';
import { SECURITY_EVENTS, SECURITY_RESULTS, type SecurityEvent } from '../../access/security-log.ts';
import { invalidQuery } from '../../base/list-request.ts';
import { ID_FORM } from '../../base/time-ordered-id.ts';
import type { ScanOverview } from '../../scan/jobs/scan-overview.ts';
import { listAnswer } from '../answers.ts';
import { isoTime } from '../fields.ts';
import { pageOf, pageQueryOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { confirmedOperatorAccess, ofOperator } from './operator-parts.ts';

const bytes = z.int().min(0);

const statusSchema = z
  .object({
    version: z.string(),
    commit: z.string().optional().describe('The commit that this version was built of, if it is known.'),
    mode: z.enum(['embedded', 'cluster']),
    startedAt: z.iso.datetime(),
    threads: z.int().describe('API threads of this process.'),
    memoryBytes: bytes.describe('Memory that this process takes.'),
    health: z.array(
      z
        .object({
          part: z.enum(['database', 'catalogue', 'disk', 'scans', 'counters', 'backups']),
          ok: z.boolean(),
          message: z.string().optional().describe('What is wrong and what to do, for a person.'),
        })
        .meta({ id: 'PartHealth' }),
    ),
    storage: z
      .object({
        dataBytes: bytes.optional().describe('The database; absent in a cluster.'),
        catalogueBytes: bytes.describe('Catalogues and imports in the data folder.'),
        imageBytes: bytes.optional().describe('Photos in the data folder; absent in a cluster.'),
        freeBytes: bytes.optional().describe('Free on the disk of the data folder.'),
        reserveBytes: bytes.describe('Space there that uploads and imports leave free.'),
      })
      .meta({ id: 'StorageUse' }),
    backups: z
      .object({
        kind: z.enum(['folder', 's3']),
        everyHours: z.int(),
        keep: z.int().describe('Backups that are kept.'),
        count: z.int().describe('Backups that are there.'),
        newest: z
          .object({ name: z.string(), bytes, createdAt: z.iso.datetime() })
          .meta({ id: 'KeptBackup' })
          .optional(),
        nextAt: z.iso.datetime().optional().describe('When the next one is due.'),
        problem: z.string().optional().describe('Why the last attempt failed, for a person.'),
      })
      .meta({ id: 'BackupSchedule' })
      .optional()
      .describe('Backups on a schedule; absent if `LARDER_BACKUP_TO` is not set.'),
    quotas: z
      .array(
        z
          .object({
            name: z.enum(['keys', 'customFoods', 'images', 'imageBytes', 'webhooks']),
            limit: z.int(),
          })
          .meta({ id: 'TenantQuota' }),
      )
      .describe('What each tenant may have.'),
    refused: z
      .record(z.string(), z.int())
      .describe('Requests that this process refused since its start, by error code.'),
    warnings: z
      .array(
        z
          .object({
            loggedAt: z.iso.datetime(),
            level: z.enum(['warn', 'error', 'fatal']),
            message: z.string(),
            thread: z.int().optional().describe('Number of the API thread; absent for the main thread.'),
          })
          .meta({ id: 'LogWarning' }),
      )
      .describe('The last 200 warnings and errors in the log of this process, newest first.'),
  })
  .meta({ id: 'OperatorStatus' });

export type OperatorStatus = z.input<typeof statusSchema>;

export const getOperatorStatus = operation({
  ...ofOperator,
  method: 'GET',
  path: '/v1/operator/status',
  id: 'getOperatorStatus',
  summary: 'Version, health, storage, quotas and the last warnings of the service',
  description: 'In a cluster: of the node that answers.',
  answer: {
    description: 'The state of the service.',
    schema: statusSchema,
    example: {
      version: '1.0.0',
      mode: 'embedded',
      startedAt: '2026-01-01T00:00:00.000Z',
      threads: 2,
      memoryBytes: 150_000_000,
      health: [{ part: 'database', ok: true }],
      storage: {
        dataBytes: 4_096_000,
        catalogueBytes: 90_000_000,
        imageBytes: 0,
        freeBytes: 9e9,
        reserveBytes: 5e8,
      },
      quotas: [{ name: 'keys', limit: 1_000 }],
      refused: { invalid_api_key: 2 },
      warnings: [{ loggedAt: '2026-01-01T00:00:00.000Z', level: 'warn', message: 'a webhook is disabled' }],
    },
  },
  handle: async (_request, { operatorStatus }: { operatorStatus: () => Promise<OperatorStatus> }) => ({
    value: await operatorStatus(),
  }),
});

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
  ...ofOperator,
  method: 'GET',
  path: '/v1/operator/scans',
  id: 'getScanQueue',
  summary: 'The queue of scans of all tenants, and the last failures',
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

const EVENTS = Object.keys(SECURITY_EVENTS) as SecurityEvent[];

/** Several names, separated by commas. */
function names<Name extends string>(parameter: string, all: readonly Name[]) {
  return z
    .preprocess((typed) => {
      const given = String(typed).split(',');
      if (given.every((name) => (all as readonly string[]).includes(name))) return typed;
      throw invalidQuery(
        parameter,
        `"${parameter}" is one or several of ${all.join(', ')}, separated by commas.`,
      );
    }, z.string())
    .optional()
    .describe(`Only these, separated by commas: ${all.map((name) => `\`${name}\``).join(', ')}.`);
}

const eventSchema = z
  .object({
    id: z.string(),
    createdAt: z.iso.datetime(),
    event: z.string().describe('What happened; docs/security.md lists the names.'),
    result: z.enum(SECURITY_RESULTS),
    address: z.string().describe('IP address of the client.'),
    who: z.string().optional().describe('`person:ID` or `key:ID`; absent where nobody was identified.'),
    code: z.string().optional().describe('Code of the error.'),
    requestId: z.string(),
  })
  .meta({ id: 'SecurityEvent' });

function eventObject({ atMs, id, event, result, address, who, code, requestId }: KeptEvent) {
  return { id, createdAt: isoTime(atMs), event, result, address, who, code, requestId };
}

export const listEvents = operation({
  ...ofOperator,
  method: 'GET',
  path: '/v1/operator/events',
  id: 'listEvents',
  summary: 'List what happened to credentials, and data that left or ended, the latest first',
  description:
    'The latest 5,000 that succeeded and 5,000 others; of those that were refused at most 60 a minute and thread are kept. The log has all.',
  query: pageQueryOf(ID_FORM).extend({
    event: names('event', EVENTS),
    result: names('result', SECURITY_RESULTS),
  }),
  answer: listAnswer('The events, with the address of the next page in Link.', eventSchema, {
    id: '01KB0T2X5M0000Y3QH7D9WZ4RB',
    createdAt: '2026-11-26T08:00:00.000Z',
    event: 'sign_in',
    result: 'refused',
    address: '198.51.100.7',
    code: 'forbidden',
    requestId: 'MnT9h2pKQd6Zq0',
  }),
  handle: ({ query }, { securityEvents }: { securityEvents: SecurityEventStore }) => {
    const split = (text: string | undefined) => text?.split(',') as never[] | undefined;
    return pageOf(
      query,
      (page) => securityEvents.list({ ...page, events: split(query.event), results: split(query.result) }),
      eventObject,
    );
  },
});

/** A copy of the database as it was at one moment. */
export interface Backup {
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** Closing the stream removes what is left of the copy. */
  readonly stream: Readable;
}

export const downloadBackup = operation({
  ...ofOperator,
  method: 'GET',
  path: '/v1/operator/backup',
  id: 'downloadBackup',
  summary: 'Download a backup of the database',
  description:
    'Everything that was written through the API and the command line, as it is at one moment, without catalogues and photos: the file ' +
    'that `larder backup` writes and `larder restore` takes. It has the hashes of keys and passwords: keep it safe. In a cluster: 409.',
  access: confirmedOperatorAccess,
  counts: 'import',
  answer: { description: 'The backup, an SQLite database.', contentType: 'application/vnd.sqlite3' },
  errors: ['conflict', 'confirmation_required'],
  handle: async (
    _request,
    { makeBackup, nowMs }: { makeBackup: () => Promise<Backup>; nowMs: () => number },
  ) => {
    const { bytes, sha256, stream } = await makeBackup();
    const day = new Date(nowMs()).toISOString().slice(0, 10);
    return {
      headers: {
        'content-length': bytes,
        // RFC 9530
        'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
        'content-disposition': `attachment; filename="larder-${day}.db"`,
        'cache-control': 'no-store',
      },
      body: stream,
    };
  },
});
