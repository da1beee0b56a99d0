import { z } from 'zod';
import { type Check, QUICK_MS } from '../check.ts';
import { amount, totals, unversionedFood, v1Food } from '../shapes.ts';
import { findWord, NONSENSE } from './search.ts';

const GRAMS = 200;
const TOO_LONG = 'a'.repeat(2_001);

const VARIANTS = [
  { as: 'v1', prefix: '/v1', food: v1Food },
  { as: 'unversioned', prefix: '', food: unversionedFood },
] as const;

export const textChecks: readonly Check[] = VARIANTS.map(({ as, prefix, food }) => {
  const item = z.object({
    text: z.string(),
    start: z.int().min(0),
    end: z.int().min(0),
    quantity: amount.optional(),
    unit: z.string().optional(),
    grams: amount.optional(),
    food: (food as z.ZodType<{ id: string }>).optional(),
    alternatives: z.array(food as z.ZodType<{ id: string }>).max(4),
    confidence: z.number().min(0).max(1),
    unresolved: z.enum(['food', 'amount']).optional(),
  });
  const shape = z.object({ items: z.array(item), totals, unresolvedCount: z.int().min(0) });
  return {
    name: `text is read (${as})`,
    scopes: ['foods:read'],
    timeoutMs: QUICK_MS,
    async run(session) {
      const parse = (text: unknown) => session.ask('POST', `${prefix}/foods/parse`, { as, body: { text } });
      const text = `${GRAMS} g ${await findWord(session)}`;
      const answer = (await parse(text)).expect(200);
      const { items, unresolvedCount } = answer.read(shape);
      answer.expectSame('number of items', items.length, 1);
      const [first] = items;
      answer.expectSame('words', text.slice(first!.start, first!.end), first!.text);
      answer.expectSame('amount', [first!.quantity, first!.unit], [GRAMS, 'g']);
      answer.expectSame('unresolved', unresolvedCount, first!.unresolved === undefined ? 0 : 1);
      if (first!.unresolved === undefined) answer.expectSame('grams', first!.grams, GRAMS);

      const unknown = (await parse([`${GRAMS} g ${NONSENSE}`])).expect(200);
      const nothing = unknown.read(shape);
      unknown.expectSame('unresolved', [nothing.unresolvedCount, nothing.items[0]?.unresolved], [1, 'food']);
      unknown.expectSame('calories', nothing.totals.calories, 0);
      (await parse(TOO_LONG)).expectError(400, 'invalid_request');
    },
  };
});
