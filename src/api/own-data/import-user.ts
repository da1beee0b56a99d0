import { z } from 'zod';
import { DATE_ORDERS, IMPORT_FORMATS } from '../../own-data/import-options.ts';
import { MAX_FILE_BYTES, MAX_ROWS } from '../../own-data/tables/table-limits.ts';
import type { UserImports } from '../../own-data/user-imports.ts';
import { ownerOf, requireScope } from '../acting-user.ts';
import { DIARY_TAG, userParams, wholeDiaryWrite } from '../diary/diary-docs.ts';
import { operation } from '../operation.ts';
import { flag } from '../text-schemas.ts';
import { EXAMPLE_IMPORT, importOutcome, importSchema } from './import-json.ts';

const FILE_TYPES = [
  'text/csv',
  'application/x-ndjson',
  'application/jsonl',
  'application/json',
  'text/tab-separated-values',
  'text/plain',
  'application/octet-stream',
] as const;

const importQuery = z.object({
  format: z.enum(IMPORT_FORMATS).optional().describe('Recognized when absent.'),
  preview: flag('"preview" must be true or false.')
    .optional()
    .describe('Write nothing, and answer what would be written.'),
  dateOrder: z
    .enum(DATE_ORDERS)
    .optional()
    .describe('Order of day and month in dates, if the file leaves it open.'),
  timeZone: z
    .string()
    .max(64)
    .optional()
    .describe('An IANA name, such as Europe/Berlin: whose clock the times of a file are read on.'),
});

export const importUser = operation({
  method: 'POST',
  path: '/v1/users/:userId/import',
  id: 'importUser',
  tag: DIARY_TAG,
  summary: 'Import what a user has elsewhere',
  description:
    'An export of Larder (`…/export`, or `…/diary/export`), the CSV of MyFitnessPal, Cronometer, FatSecret, SparkyFitness or ' +
    `OpenNutriTracker, or a table with dates; at most ${MAX_ROWS} rows. What is there already stays as it is, so that a file may ` +
    'be sent again. Custom foods also need the scope `foods:write`.',
  access: wholeDiaryWrite,
  counts: 'import',
  params: userParams,
  query: importQuery,
  body: {
    file: FILE_TYPES,
    sample: '{"entry":{"id":"01KG9V4N00000000000000EXMP","version":1,"date":"2026-01-31"}}\n',
    limit: MAX_FILE_BYTES,
  },
  answer: {
    description: 'Outcome of the import, record by record.',
    schema: importSchema,
    example: EXAMPLE_IMPORT,
  },
  handle: async (request, { imports }: { imports: UserImports }) => {
    const { caller, body, query } = request;
    const { preview = false, ...options } = query;
    const outcome = await imports.run(body, {
      ...options,
      owner: ownerOf(request),
      isPreview: preview,
      admitFoods: () => requireScope(caller, 'foods:write'),
    });
    return importOutcome(outcome, preview);
  },
});
