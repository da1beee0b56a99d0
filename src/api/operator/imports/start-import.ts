import { z } from 'zod';
import { IMPORT_PART_BYTES, MAX_IMPORT_BYTES } from '../../../foods/import/catalogue-imports.ts';
import { IMPORT_SOURCES } from '../../../foods/import/import-job.ts';
import { isCountry, isLanguage } from '../../../foods/import/off/slice.ts';
import { BODY_LIMITS } from '../../body-limits.ts';
import { operation } from '../../operation.ts';
import { line } from '../../text-schemas.ts';
import { OPERATOR_TAG, operatorAccess } from '../operator-parts.ts';
import { EXAMPLE_JOB, type ImportPorts, importAnswer, importObject } from './import-job-json.ts';

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

const sliceSchema = z
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

const startSchema = z
  .strictObject({
    source: z.enum(IMPORT_SOURCES).describe('`off`: Open Food Facts. `fdc`: FoodData Central.'),
    file: z
      .strictObject({ name: line(MAX_NAME_LENGTH), bytes: z.int().min(1).max(MAX_IMPORT_BYTES) })
      .meta({ id: 'ImportFileInput' })
      .optional()
      .describe(
        'An export that you send. Without it the newest full export is downloaded, which replaces earlier imports.',
      ),
    slice: sliceSchema
      .optional()
      .describe('Only this part of Open Food Facts: products that fulfil each criterion that is given.'),
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
  .meta({ id: 'CatalogueImportInput' });

export const startImport = operation({
  method: 'POST',
  path: '/v1/operator/imports',
  id: 'startImport',
  tag: OPERATOR_TAG,
  summary: 'Start an import of foods',
  description:
    'One at a time. It runs in a process of its own, and all threads answer from the new catalogue when it is done. Downloads come from ' +
    'LARDER_OFF_EXPORT_URL and LARDER_FDC_EXPORT_URL; one that was interrupted continues. In a cluster the catalogue is then ' +
    'published and activated, and files are refused.',
  access: operatorAccess,
  counts: 'import',
  body: { schema: startSchema, example: { source: 'off' }, limit: BODY_LIMITS.fields },
  answer: {
    status: 201,
    description: 'The import.',
    headers: ['Location'],
    schema: importAnswer
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
    example: { import: EXAMPLE_JOB },
  },
  errors: ['conflict'],
  handle: async ({ body: { source, file, slice, update }, baseUrl }, { catalogueImports }: ImportPorts) => {
    const job = await (await catalogueImports()).start({ source, file, slice, update });
    const upload = {
      uploadUrl: `${baseUrl}/v1/operator/imports/${job.id}/file`,
      partBytes: IMPORT_PART_BYTES,
    };
    return { value: { import: importObject(job), ...(file && upload) }, created: job.id };
  },
});
