import { z } from 'zod';
import { operation } from '../operation.ts';
import { type Catalogues, catalogueListSchema, EXAMPLE_CATALOGUES } from './catalogue-json.ts';
import { OPERATOR_TAG, operatorAccess } from './operator-parts.ts';

export const activateCatalogue = operation({
  method: 'POST',
  path: '/v1/operator/catalogues/:catalogueId/activate',
  id: 'activateCatalogue',
  tag: OPERATOR_TAG,
  summary: 'Answer from another catalogue; an earlier one rolls back',
  description:
    'The file is verified first, which takes seconds. All threads, in a cluster all nodes, switch within seconds, without dropping a ' +
    'request. A catalogue of another format version is compiled again, and gets another id.',
  access: operatorAccess,
  counts: 'import',
  params: z.object({ catalogueId: z.string().max(100).meta({ example: EXAMPLE_CATALOGUES.active }) }),
  answer: { description: 'The catalogues.', schema: catalogueListSchema, example: EXAMPLE_CATALOGUES },
  errors: ['catalogue_not_found', 'conflict'],
  handle: async ({ params }, { catalogues: open }: { catalogues: () => Promise<Catalogues> }) => {
    const catalogues = await open();
    await catalogues.activate(params.catalogueId);
    return { value: await catalogues.list() };
  },
});
