import { z } from 'zod';
import { toOwner } from '../../foods/custom/food-owner.ts';
import { FOOD_BASES } from '../../own-data/import-options.ts';
import { MAX_FILE_BYTES, MAX_ROWS } from '../../own-data/tables/table-limits.ts';
import type { UserImports } from '../../own-data/user-imports.ts';
import { operation } from '../operation.ts';
import { flag, userIdText } from '../text-schemas.ts';
import { EXAMPLE_IMPORT, importOutcome, importSchema } from './import-json.ts';

const foodsQuery = z.object({
  userId: userIdText.optional().describe('Whose foods they become; of a key without it, shared ones.'),
  per: z.enum(FOOD_BASES).optional().describe('Basis of the amounts, if the headings do not state it.'),
  preview: flag('"preview" must be true or false.')
    .optional()
    .describe('Write nothing, and answer what would be written.'),
});

export const importFoods = operation({
  method: 'POST',
  path: '/v1/foods/import',
  id: 'importFoods',
  tag: 'Foods (v1)',
  summary: 'Import a table of custom foods',
  description:
    'CSV with commas, semicolons or tabs: a food in each row, with headings for its name, energy and what else there is, in English, ' +
    `German, French, Spanish, Italian or Portuguese; at most ${MAX_ROWS} rows. Sent again it writes nothing twice.`,
  access: { credential: 'bearer', scope: 'foods:write' },
  counts: 'import',
  query: foodsQuery,
  body: {
    file: ['text/csv', 'text/tab-separated-values', 'text/plain', 'application/octet-stream'],
    sample: 'Name,kcal,Protein (g)\nPlum jam,240,0.5\n',
    limit: MAX_FILE_BYTES,
  },
  answer: {
    description: 'Outcome of the import, food by food.',
    schema: importSchema,
    example: { ...EXAMPLE_IMPORT, format: 'foods' },
  },
  handle: async ({ caller, body, query }, { imports }: { imports: UserImports }) => {
    const { userId, per, preview = false } = query;
    const owner = { tenant: caller.tenant, userId: toOwner({ userId }, caller) };
    return importOutcome(await imports.runFoods(body, { owner, per, isPreview: preview }), preview);
  },
});
