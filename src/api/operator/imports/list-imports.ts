import { z } from 'zod';
import { shortListQuery } from '../../list-queries.ts';
import { rankedPageOf } from '../../lists.ts';
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
  query: shortListQuery,
  answer: {
    headers: ['Link'],
    description: 'The imports that were started over HTTP.',
    schema: z.array(importJobSchema),
    example: [EXAMPLE_JOB],
  },
  handle: async ({ query }, { catalogueImports }: ImportPorts) =>
    rankedPageOf(query, await (await catalogueImports()).list(), importObject),
});
