import { z } from 'zod';
import type { CatalogueImports } from '../../../foods/import/catalogue-imports.ts';
import { IMPORT_SOURCES, IMPORT_STATES, type ImportJob } from '../../../foods/import/import-job.ts';
import { isoTime } from '../../fields.ts';

export interface ImportPorts {
  readonly catalogueImports: () => Promise<CatalogueImports>;
}

/** The part of Open Food Facts that an import takes. */
const sliceSchema = z
  .object({
    countries: z.array(z.string()).optional(),
    languages: z.array(z.string()).optional(),
    popular: z.int().optional(),
  })
  .meta({ id: 'ImportSlice' });

export const importJobSchema = z
  .object({
    id: z.string(),
    source: z.enum(IMPORT_SOURCES),
    status: z
      .enum(IMPORT_STATES)
      .describe('`waiting`: for the file. `completed`, `failed` and `cancelled` are final.'),
    file: z.object({ name: z.string(), bytes: z.int() }).meta({ id: 'ImportFile' }).optional(),
    slice: sliceSchema.optional(),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().optional(),
    progress: z
      .object({
        phase: z.string().optional().describe('What is done at the moment, in English.'),
        bytes: z.int().describe('Bytes read in this phase.'),
        totalBytes: z.int().optional(),
        rows: z.int().describe('Foods so far.'),
        rowsPerSecond: z.int(),
      })
      .meta({ id: 'ImportProgress' }),
    report: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'Of a completed import: foods that were read, kept, merged and skipped, with reasons; and the new catalogue.',
      ),
    error: z
      .object({ message: z.string() })
      .meta({ id: 'ImportError' })
      .optional()
      .describe('Why it failed, and what to do.'),
  })
  .meta({ id: 'CatalogueImport' });

export const importAnswer = z.object({ import: importJobSchema }).meta({ id: 'CatalogueImportAnswer' });

export const importParams = z.object({
  importId: z.string().max(100).meta({ example: '01KG9V4N00000000000000EXMP' }),
});

export const EXAMPLE_JOB = {
  id: '01KG9V4N00000000000000EXMP',
  source: 'off',
  status: 'running',
  createdAt: '2026-01-01T00:00:00.000Z',
  progress: {
    phase: 'Reading openfoodfacts-products.jsonl.gz',
    bytes: 1_000_000,
    totalBytes: 9_000_000_000,
    rows: 2_000,
    rowsPerSecond: 2_000,
  },
} as const;

export function importObject({ id, source, state, createdAtMs, finishedAtMs, error, ...job }: ImportJob) {
  return {
    id,
    source,
    status: state,
    ...job,
    createdAt: isoTime(createdAtMs),
    finishedAt: finishedAtMs === undefined ? undefined : isoTime(finishedAtMs),
    error: error === undefined ? undefined : { message: error },
  };
}
