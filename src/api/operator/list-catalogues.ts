import { operation } from '../operation.ts';
import { type Catalogues, catalogueListSchema, EXAMPLE_CATALOGUES } from './catalogue-json.ts';
import { OPERATOR_TAG, operatorAccess } from './operator-parts.ts';

export const listCatalogues = operation({
  method: 'GET',
  path: '/v1/operator/catalogues',
  id: 'listCatalogues',
  tag: OPERATOR_TAG,
  summary: 'List the catalogues that can be put in use',
  description: 'Those of the data folder; in a cluster the published ones.',
  access: operatorAccess,
  counts: 'other',
  answer: { description: 'The catalogues.', schema: catalogueListSchema, example: EXAMPLE_CATALOGUES },
  handle: async (_request, { catalogues }: { catalogues: () => Promise<Catalogues> }) => ({
    value: await (await catalogues()).list(),
  }),
});
