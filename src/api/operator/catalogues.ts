import { z } from 'zod';
import { operation } from '../operation.ts';
import { ofOperator } from './operator-parts.ts';

/** The catalogues that operators switch between: those of the data folder, in a cluster the published ones. */
export interface Catalogues {
  list(): Promise<CatalogueList>;
  /** Throws `not_found`, `conflict` while an import runs, and `invalid_request` for one that cannot be used. */
  activate(id: string): Promise<void>;
}

const catalogueSchema = z
  .object({
    id: z.string(),
    createdAt: z.iso.datetime().optional(),
    foods: z.int().optional(),
    bytes: z.int().optional().describe('Size of the file.'),
    sources: z
      .array(
        z
          .object({ origin: z.string(), foods: z.int(), importedAt: z.iso.datetime() })
          .meta({ id: 'CatalogueSource' }),
      )
      .optional()
      .describe('The imports that it was compiled from, oldest first; absent in a cluster.'),
    problem: z.string().optional().describe('Why the file cannot be read; it then has no other facts.'),
  })
  .meta({ id: 'StoredCatalogue' });

const catalogueListSchema = z
  .object({
    active: z.string().optional().describe('The catalogue to answer from.'),
    catalogues: z.array(catalogueSchema).describe('Newest first.'),
  })
  .meta({ id: 'CatalogueList' });

type CatalogueList = z.input<typeof catalogueListSchema>;

const EXAMPLE_CATALOGUES = {
  active: '20260421-101500-1a2b3c4d',
  catalogues: [
    {
      id: '20260421-101500-1a2b3c4d',
      createdAt: '2026-04-21T10:15:00.000Z',
      foods: 3_900_000,
      bytes: 1_400_000_000,
      sources: [{ origin: 'off', foods: 3_900_000, importedAt: '2026-04-21T10:00:00.000Z' }],
    },
  ],
};

export const listCatalogues = operation({
  ...ofOperator,
  method: 'GET',
  path: '/v1/operator/catalogues',
  id: 'listCatalogues',
  summary: 'List the catalogues that can be put in use',
  description: 'Those of the data folder; in a cluster the published ones.',
  answer: { description: 'The catalogues.', schema: catalogueListSchema, example: EXAMPLE_CATALOGUES },
  handle: async (_request, { catalogues }: { catalogues: () => Promise<Catalogues> }) => ({
    value: await (await catalogues()).list(),
  }),
});

export const activateCatalogue = operation({
  ...ofOperator,
  method: 'POST',
  path: '/v1/operator/catalogues/:catalogueId/activate',
  id: 'activateCatalogue',
  summary: 'Answer from another catalogue; an earlier one rolls back',
  description:
    'The file is verified first, which takes seconds. All threads, in a cluster all nodes, switch within seconds, without dropping a ' +
    'request. A catalogue of another format version is compiled again, and gets another id.',
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
