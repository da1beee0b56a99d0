import { z } from 'zod';
import { operation } from '../../operation.ts';
import { OPERATOR_TAG, operatorAccess } from '../operator-parts.ts';
import { EXAMPLE_JOB, type ImportPorts, importJobSchema, importObject } from './import-job-json.ts';

export const listImports = operation({
  method: 'GET',
  path: '/v1/operator/imports',
  id: 'listImports',
  tag: OPERATOR_TAG,
  summary: 'List the last 20 imports, newest first',
  access: operatorAccess,
  counts: 'other',
  answer: {
    description: 'The imports that were started over HTTP.',
    schema: z.object({ imports: z.array(importJobSchema) }).meta({ id: 'CatalogueImportList' }),
    example: { imports: [EXAMPLE_JOB] },
  },
  handle: async (_request, { catalogueImports }: ImportPorts) => ({
    value: { imports: (await (await catalogueImports()).list()).map(importObject) },
  }),
});
