import { z } from 'zod';
import { type Check, QUICK_MS } from '../check.ts';

const readiness = z.object({
  status: z.literal('ready'),
  catalogue: z.object({ name: z.string(), foods: z.int() }),
  catalogueProblem: z.string().optional(),
  database: z.enum(['reachable', 'unreachable']).optional(),
  storage: z.enum(['available', 'full']).optional(),
  limitsCountedBy: z.enum(['cluster', 'node']).optional(),
});

export const healthChecks: readonly Check[] = [
  {
    name: 'health',
    scopes: undefined,
    timeoutMs: QUICK_MS,
    async run(session) {
      const answer = await session.ask('GET', '/healthz', { as: 'nobody' });
      answer.expect(200).read(z.object({ status: z.literal('ok') }));
    },
  },
  {
    name: 'readiness',
    scopes: undefined,
    timeoutMs: QUICK_MS,
    async run(session) {
      const answer = await session.ask('GET', '/readyz', { as: 'nobody' });
      const { catalogue, catalogueProblem, database, storage, limitsCountedBy } = answer
        .expect(200)
        .read(readiness);
      if (catalogue.foods < 1) answer.fail('says that the catalogue has no foods; import some');
      if (catalogueProblem !== undefined)
        answer.fail(`says that a newer catalogue is refused: ${catalogueProblem}`);
      if (database === 'unreachable') answer.fail('says that the database cannot be reached');
      if (storage === 'full') answer.fail('says that its disk is almost full, so that it takes no images');
      if (limitsCountedBy === 'node')
        answer.fail('says that Redis is away, so each node counts requests for itself');
    },
  },
];
