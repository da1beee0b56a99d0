import { FOOD_BASES } from '@larder/core/food.ts';
import { z } from 'zod';
import {
  type CatalogueImports,
  IMPORT_PART_BYTES,
  MAX_IMPORT_BYTES,
} from '../../foods/import/catalogue-imports.ts';
import {
  IMPORT_SOURCES,
  IMPORT_STATES,
  IMPORTED_FACTS,
  type ImportJob,
} from '../../foods/import/import-job.ts';
import { isCountry, isLanguage } from '../../foods/import/off/slice.ts';
import { AMOUNT_BASES, MAX_MAP_LENGTH, TABLE_NAME } from '../../foods/import/table/table-limits.ts';
import { listAnswer } from '../answers.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import type { EventStreams } from '../event-streams.ts';
import { isoTime } from '../fields.ts';
import { shortListQuery, shortPageOf } from '../lists.ts';
import { nutrientsSchema } from '../nutrients.ts';
import { operation } from '../operation.ts';
import { line, wholeNumber } from '../text-schemas.ts';
import { ofOperator } from './operator-parts.ts';

interface ImportPorts {
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

/** Facts of foods that an import keeps. */
const factsSchema = z.enum(IMPORTED_FACTS);

const per = z.enum(AMOUNT_BASES);

const tablePreviewSchema = z
  .object({
    map: z
      .string()
      .describe('The map of the columns, in YAML: keep it, change it, and send it as `table.map`.'),
    mapIs: z
      .enum(['given', 'known', 'proposed'])
      .describe('`known`: that of a table with this layout. `proposed`: by the headings.'),
    per: per.describe('What amounts are of, where the column does not say.'),
    columns: z
      .array(
        z
          .object({
            heading: z.string(),
            meaning: z.string().describe('As in a map: `name`, `energy kJ`, `protein g per serving`.'),
          })
          .meta({ id: 'TableColumn' }),
      )
      .describe('Columns that are read.'),
    unused: z.array(z.string()).describe('Headings of columns that are not read.'),
    notes: z.array(z.string()).describe('What else was assumed, in English.'),
    foods: z
      .array(
        z
          .object({
            name: z.string(),
            brand: z.string().optional(),
            barcode: z.string().optional(),
            per: z.enum(FOOD_BASES).describe('`nutrients` are of 100 of it.'),
            nutrients: nutrientsSchema,
            serving: z.string(),
          })
          .meta({ id: 'PreviewedFood' }),
      )
      .describe('The first foods, as they would be stored.'),
  })
  .meta({ id: 'TablePreview' });

const importJobSchema = z
  .object({
    id: z.string(),
    source: z.enum(IMPORT_SOURCES),
    status: z
      .enum(IMPORT_STATES)
      .describe('`waiting`: for the file. `completed`, `failed` and `cancelled` are final.'),
    file: z.object({ name: z.string(), bytes: z.int() }).meta({ id: 'ImportFile' }).optional(),
    slice: sliceSchema.optional(),
    facts: factsSchema.optional(),
    table: z
      .object({ name: z.string().optional(), per: per.optional(), map: z.string().optional() })
      .meta({ id: 'ImportTable' })
      .optional(),
    preview: z.boolean().optional(),
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
    tablePreview: tablePreviewSchema
      .optional()
      .describe('Of a completed preview: how the table is read. No food was stored.'),
    error: z
      .object({ message: z.string() })
      .meta({ id: 'ImportError' })
      .optional()
      .describe('Why it failed, and what to do.'),
  })
  .meta({ id: 'CatalogueImport' });

const importParams = z.object({
  importId: z.string().max(100).meta({ example: '01KG9V4N00000000000000EXMP' }),
});

const EXAMPLE_JOB = {
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

function importObject({ id, source, state, createdAtMs, finishedAtMs, error, choices, ...job }: ImportJob) {
  return {
    id,
    source,
    status: state,
    ...job,
    ...choices,
    createdAt: isoTime(createdAtMs),
    finishedAt: finishedAtMs === undefined ? undefined : isoTime(finishedAtMs),
    error: error === undefined ? undefined : { message: error },
  };
}

export const listImports = operation({
  ...ofOperator,
  method: 'GET',
  path: '/v1/operator/imports',
  id: 'listImports',
  summary: 'List the last 20 imports, newest first',
  query: shortListQuery,
  answer: listAnswer('The imports that were started over HTTP.', importJobSchema, EXAMPLE_JOB),
  handle: async ({ query }, { catalogueImports }: ImportPorts) =>
    shortPageOf(query, await (await catalogueImports()).list(), importObject),
});

export const getImport = operation({
  ...ofOperator,
  method: 'GET',
  path: '/v1/operator/imports/:importId',
  id: 'getImport',
  summary: 'Read an import',
  params: importParams,
  answer: { description: 'The import.', schema: importJobSchema, example: EXAMPLE_JOB },
  errors: ['import_not_found'],
  handle: async ({ params }, { catalogueImports }: ImportPorts) => ({
    value: importObject(await (await catalogueImports()).get(params.importId)),
  }),
});

const MAX_NAME_LENGTH = 200;
const MAX_CODES = 50;

const codes = (isKnown: (code: string) => boolean, name: string) =>
  z
    .array(
      z
        .string()
        .regex(/^[a-z]{2}$/, 'must be two small letters')
        .refine(isKnown, `is no ${name}`),
    )
    .min(1)
    .max(MAX_CODES);

const newSliceSchema = z
  .strictObject({
    countries: codes(isCountry, 'country')
      .optional()
      .describe('Sold in one of these countries (ISO 3166), or all over the world.')
      .meta({ example: ['de', 'at'] }),
    languages: codes(isLanguage, 'language')
      .optional()
      .describe('With a name in one of these languages (ISO 639-1).')
      .meta({ example: ['de'] }),
    popular: z.int().min(1).max(1e9).optional().describe('Scanned by at least so many people within a year.'),
  })
  .refine((slice) => Object.keys(slice).length > 0, 'names no criterion')
  .meta({ id: 'ImportSliceInput', minProperties: 1 });

const newTableSchema = z
  .strictObject({
    name: z
      .string()
      .regex(TABLE_NAME)
      .optional()
      .describe('Begins the ids of the foods; default: by the name of the file.'),
    per: per.optional().describe('What amounts are of, if the table does not say.'),
    map: z
      .string()
      .min(1)
      .max(MAX_MAP_LENGTH)
      .optional()
      .describe('The map of the columns in YAML; default: that of a known table, or by the headings.'),
  })
  .meta({ id: 'ImportTableInput' });

const startSchema = z
  .strictObject({
    source: z
      .enum(IMPORT_SOURCES)
      .describe('`off`: Open Food Facts. `fdc`: FoodData Central. `table`: any table of foods, in a file.'),
    file: z
      .strictObject({ name: line(MAX_NAME_LENGTH), bytes: z.int().min(1).max(MAX_IMPORT_BYTES) })
      .meta({ id: 'ImportFileInput' })
      .optional()
      .describe(
        'An export that you send. Without it the newest full export is downloaded, which replaces earlier imports.',
      ),
    slice: newSliceSchema
      .optional()
      .describe('Only this part of Open Food Facts: products that fulfil each criterion that is given.'),
    facts: factsSchema
      .optional()
      .describe('`none` leaves out the facts of foods, which take most of the disk; default `all`.'),
    table: newTableSchema.optional().describe('How a table is read, as far as its headings do not say.'),
    preview: z
      .boolean()
      .optional()
      .describe(
        'Reads the table as the import does, with the same errors, and stores no food: see `tablePreview`.',
      ),
    update: z
      .boolean()
      .optional()
      .describe(
        'Only what changed in Open Food Facts since the last import, of the same part; it is listed for two weeks.',
      ),
  })
  .refine(({ source, file, slice, update }) => update !== true || (source === 'off' && !file && !slice), {
    path: ['update'],
    message: 'takes the part of Open Food Facts that was imported, without a file or another part',
  })
  .refine(({ source, slice }) => slice === undefined || source === 'off', {
    path: ['slice'],
    message: 'is a part of Open Food Facts; leave it out for another source',
  })
  .refine(({ source, file }) => source !== 'table' || file !== undefined, {
    path: ['file'],
    message: 'is missing; a table is not downloaded',
  })
  .refine(({ source, facts }) => source !== 'table' || facts === undefined, {
    path: ['facts'],
    message: 'are those of Open Food Facts and FoodData Central; leave it out for a table',
  })
  .refine(({ source, table }) => source === 'table' || table === undefined, {
    path: ['table'],
    message: 'says how a table is read; leave it out for another source',
  })
  .refine(({ source, preview }) => source === 'table' || preview === undefined, {
    path: ['preview'],
    message: 'is one of a table; leave it out for another source',
  })
  .meta({ id: 'CatalogueImportInput' });

export const startImport = operation({
  ...ofOperator,
  method: 'POST',
  path: '/v1/operator/imports',
  id: 'startImport',
  summary: 'Start an import of foods',
  description:
    'One at a time. It runs in a process of its own, and all threads answer from the new catalogue when it is done. Downloads come from ' +
    'LARDER_OFF_EXPORT_URL and LARDER_FDC_EXPORT_URL; one that was interrupted continues. In a cluster the catalogue is then ' +
    'published and activated, and files are refused.',
  counts: 'import',
  body: { schema: startSchema, example: { source: 'off' }, limit: BODY_LIMITS.item },
  answer: {
    status: 201,
    description: 'The import.',
    headers: ['Location'],
    schema: importJobSchema
      .extend({
        uploadUrl: z
          .string()
          .optional()
          .describe(
            'Where the file is sent in parts, with the same credential: `?offset=` and the bytes from there.',
          ),
        partBytes: z.int().optional().describe('The longest part.'),
      })
      .meta({ id: 'StartedImport' }),
    example: EXAMPLE_JOB,
  },
  errors: ['conflict'],
  handle: async (
    { body: { facts, table, preview, ...start }, baseUrl },
    { catalogueImports }: ImportPorts,
  ) => {
    const choices = { facts, table, preview };
    const job = await (await catalogueImports()).start({ ...start, choices });
    const upload = {
      uploadUrl: `${baseUrl}/v1/operator/imports/${job.id}/file`,
      partBytes: IMPORT_PART_BYTES,
    };
    return { value: { ...importObject(job), ...(start.file && upload) }, created: job.id };
  },
});

export const sendImportFile = operation({
  ...ofOperator,
  method: 'PUT',
  path: '/v1/operator/imports/:importId/file',
  id: 'sendImportFile',
  summary: 'Send a part of the file of an import; the last part starts it',
  description: 'Parts come in order, each within two minutes. `progress.bytes` is where the next one begins.',
  params: importParams,
  query: z.object({
    offset: wholeNumber(z.int().min(0).max(MAX_IMPORT_BYTES))
      .default(0)
      .describe('Where this part begins in the file.'),
  }),
  body: { file: ['application/octet-stream'], sample: '{"code":"1"}\n', limit: IMPORT_PART_BYTES },
  answer: { description: 'The import.', schema: importJobSchema, example: EXAMPLE_JOB },
  errors: ['import_not_found', 'conflict'],
  handle: async ({ params, query, body }, { catalogueImports }: ImportPorts) => ({
    value: importObject(await (await catalogueImports()).receive(params.importId, query.offset, body)),
  }),
});

interface Ports extends ImportPorts {
  readonly streams: EventStreams;
}

export const streamImport = operation({
  ...ofOperator,
  method: 'GET',
  path: '/v1/operator/imports/:importId/stream',
  id: 'streamImport',
  summary: 'Follow an import until it ends',
  counts: 'stream',
  params: importParams,
  answer: {
    description:
      'Server-Sent Events: `data:` lines with the import, now and at each change. Then the service closes.',
    contentType: 'text/event-stream',
    schema: importJobSchema,
    example: EXAMPLE_JOB,
  },
  errors: ['import_not_found'],
  handle: async (request, ports: Ports) => {
    const { importId } = request.params;
    const imports = await ports.catalogueImports();
    await imports.get(importId);
    return ports.streams.reply({
      about: { requestId: request.requestId, import: importId },
      recheck: () => request.recheck(),
      async *follow(signal) {
        let id = 0;
        for await (const job of imports.watch(importId, signal)) {
          yield { id: ++id, data: JSON.stringify(importObject(job)) };
        }
      },
    });
  },
});

export const cancelImport = operation({
  ...ofOperator,
  method: 'DELETE',
  path: '/v1/operator/imports/:importId',
  id: 'cancelImport',
  summary: 'Cancel an import; the catalogue in use does not change',
  params: importParams,
  answer: { status: 204, description: 'It is cancelled, or had ended.' },
  errors: ['import_not_found'],
  handle: async ({ params }, { catalogueImports }: ImportPorts) => {
    await (await catalogueImports()).cancel(params.importId);
  },
});
