import { z } from 'zod';
import { operation } from '../operation.ts';
import { OPERATOR_TAG, operatorAccess } from './operator-parts.ts';

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
        to: z.enum(['folder', 's3']),
        everyHours: z.int(),
        keep: z.int().describe('Backups that are kept.'),
        count: z.int().describe('Backups that are there.'),
        newest: z
          .object({ name: z.string(), bytes, time: z.iso.datetime() })
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
            time: z.iso.datetime(),
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
  method: 'GET',
  path: '/v1/operator/status',
  id: 'getOperatorStatus',
  tag: OPERATOR_TAG,
  summary: 'Version, health, storage, quotas and the last warnings of the service',
  description: 'In a cluster: of the node that answers.',
  access: operatorAccess,
  counts: 'other',
  answer: {
    description: 'The state of the service.',
    schema: statusSchema,
    example: {
      version: '0.2.0',
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
      warnings: [{ time: '2026-01-01T00:00:00.000Z', level: 'warn', message: 'a webhook is disabled' }],
    },
  },
  handle: async (_request, { operatorStatus }: { operatorStatus: () => Promise<OperatorStatus> }) => ({
    value: await operatorStatus(),
  }),
});
