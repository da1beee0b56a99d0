import { operation } from '../../operation.ts';
import { OPERATOR_TAG, operatorAccess } from '../operator-parts.ts';
import {
  EXAMPLE_JOB,
  type ImportPorts,
  importAnswer,
  importObject,
  importParams,
} from './import-job-json.ts';

export const getImport = operation({
  method: 'GET',
  path: '/v1/operator/imports/:importId',
  id: 'getImport',
  tag: OPERATOR_TAG,
  summary: 'Read an import',
  access: operatorAccess,
  counts: 'other',
  params: importParams,
  answer: { description: 'The import.', schema: importAnswer, example: { import: EXAMPLE_JOB } },
  errors: ['import_not_found'],
  handle: async ({ params }, { catalogueImports }: ImportPorts) => ({
    value: { import: importObject(await (await catalogueImports()).get(params.importId)) },
  }),
});
