import { z } from 'zod';
import { IMPORT_PART_BYTES, MAX_IMPORT_BYTES } from '../../../foods/import/catalogue-imports.ts';
import { operation } from '../../operation.ts';
import { OPERATOR_TAG, operatorAccess } from '../operator-parts.ts';
import {
  EXAMPLE_JOB,
  type ImportPorts,
  importAnswer,
  importObject,
  importParams,
} from './import-job-json.ts';

export const sendImportFile = operation({
  method: 'PUT',
  path: '/v1/operator/imports/:importId/file',
  id: 'sendImportFile',
  tag: OPERATOR_TAG,
  summary: 'Send a part of the file of an import; the last part starts it',
  description: 'Parts come in order, each within two minutes. `progress.bytes` is where the next one begins.',
  access: operatorAccess,
  counts: 'other',
  params: importParams,
  query: z.object({
    offset: z.coerce
      .number()
      .int()
      .min(0)
      .max(MAX_IMPORT_BYTES)
      .default(0)
      .describe('Where this part begins in the file.'),
  }),
  body: { file: ['application/octet-stream'], sample: '{"code":"1"}\n', limit: IMPORT_PART_BYTES },
  answer: { description: 'The import.', schema: importAnswer, example: { import: EXAMPLE_JOB } },
  errors: ['import_not_found', 'conflict'],
  handle: async ({ params, query, body }, { catalogueImports }: ImportPorts) => ({
    value: {
      import: importObject(await (await catalogueImports()).receive(params.importId, query.offset, body)),
    },
  }),
});
