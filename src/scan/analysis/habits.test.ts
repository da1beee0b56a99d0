import type { FoodId } from '@larder/core/food.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dish, food, foodsOf, lasagne, look, pizza, seeing } from '../../../test/support/analysed-photos.ts';
import { type EatenBefore, HABIT_RULE, type Habits, rankByHabit } from './habits.ts';

const share = fc.double({ min: 0.01, max: 0.99, noNaN: true });
/** Candidates with shares of one whole, and how much each was eaten. */
const drawn = fc
  .array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.option(share, { nil: undefined })), {
    minLength: 1,
    maxLength: 20,
  })
  .map((all) => {
    const whole = all.reduce((sum, [weight]) => sum + weight, 0.01);
    return all
      .map(([weight, strength], id) => ({ id, confidence: weight / whole, strength }))
      .sort((a, b) => b.confidence - a.confidence);
  });
const strengthOf = ({ strength }: { strength: number | undefined }) => strength;

describe('the rule of habits', () => {
  test('keeps confidences shares of the whole, and the order of those that were eaten alike', () => {
    fc.assert(
      fc.property(drawn, share, (candidates, repeats) => {
        const ranked = rankByHabit(candidates, strengthOf, repeats);
        const sum = ranked.reduce((all, { confidence }) => all + confidence, 0);
        expect(sum).toBeLessThanOrEqual(1 + 1e-9);
        expect(ranked).toHaveLength(candidates.length);
        const alike = rankByHabit(candidates, ({ strength }) => strength && 0.7, repeats);
        for (const isEaten of [true, false]) {
          const order = alike.filter(({ strength }) => (strength !== undefined) === isEaten);
          const before = order.map(({ id }) => candidates.find((each) => each.id === id)!.confidence);
          const likely = before.filter((each) => each >= HABIT_RULE.least);
          expect(likely).toEqual(likely.toSorted((a, b) => b - a));
        }
      }),
    );
  });

  test('raises foods that were eaten alone, and the more, the more they were', () => {
    fc.assert(
      fc.property(drawn, share, (candidates, repeats) => {
        const ranked = new Map(rankByHabit(candidates, strengthOf, repeats).map((each) => [each.id, each]));
        for (const { id, confidence, strength } of candidates) {
          const after = ranked.get(id)!.confidence;
          if (strength === undefined) expect(after).toBeLessThanOrEqual(confidence + 1e-9);
          const odds = (other: number, first: number) => (first === 0 ? 0 : other / first);
          for (const other of candidates) {
            if (confidence < HABIT_RULE.least || (other.strength ?? 0) > (strength ?? 0)) continue;
            expect(odds(ranked.get(other.id)!.confidence, after)).toBeLessThanOrEqual(
              odds(other.confidence, confidence) + 1e-9,
            );
          }
        }
      }),
    );
  });

  test('changes nothing without foods that were eaten, and where photos seldom repeat one', () => {
    fc.assert(
      fc.property(drawn, share, (candidates, repeats) => {
        const confidences = (all: readonly { confidence: number }[]) =>
          all.map(({ confidence }) => confidence);
        const close = (a: readonly number[], b: readonly number[]) =>
          a.map((each, at) => expect(each).toBeCloseTo(b[at]!, 12));
        close(confidences(rankByHabit(candidates, () => undefined, repeats)), confidences(candidates));
        close(confidences(rankByHabit(candidates, strengthOf, 0.1)), confidences(candidates));
      }),
    );
  });

  test('never puts a food below a hundredth above a confident one', () => {
    fc.assert(
      fc.property(drawn, share, (candidates, repeats) => {
        const [before] = candidates;
        if (before!.confidence < 0.5) return;
        const [first] = rankByHabit(candidates, strengthOf, repeats);
        expect(first!.id === before!.id || first!.confidence >= HABIT_RULE.least).toBe(true);
        const id = candidates.find(({ confidence }) => confidence < 0.01)?.id;
        expect(first!.id).not.toBe(id ?? -1);
      }),
    );
  });
});

describe('a dish that was eaten before', () => {
  const alternatives = [
    { label: 'lasagne', foodId: lasagne.id, confidence: 0.3 },
    { label: 'gone', foodId: 'starter:gone' as FoodId, confidence: 0.1 },
  ];
  const scanned = (confidence = 0.45) =>
    seeing('dish', [dish(pizza.id, { confidence, alternatives, sureFrom: 0.5 })]);
  const lookWith = async (foods: readonly (readonly [string, EatenBefore])[], repeats = 0.7) => {
    const habits: Habits = { foods: new Map(foods), repeats };
    return look({ recognizers: [scanned()], habits: async () => habits });
  };
  const eaten = (usual?: number): EatenBefore => ({
    strength: 1,
    own: { times: 3, last: '2026-11-12', usualAmount: () => usual },
  });
  const items = (outcome: Awaited<ReturnType<typeof look>>) => 'result' in outcome && outcome.result.items;

  test('comes first in its usual amount, with the reason, and is sure if that makes it likely enough', async () => {
    const outcome = await lookWith([[lasagne.id, eaten(420)]]);
    const [item] = items(outcome) as [object];
    expect(item).toMatchObject({
      name: 'Lasagne',
      because: { kind: 'you_eat_this', times: 3, last: '2026-11-12' },
      serving: { value: 420, unit: 'g' },
      servingGrams: 420,
      servingRangeGrams: { low: 150, high: 420 },
      alternatives: [{ name: 'Pizza' }],
    });
    expect(item).not.toHaveProperty('unsure');
    expect(outcome.analysis.recognizers[0]!.proposals).toMatchObject([
      { foodId: pizza.id, confidence: 0.45 },
    ]);
    expect(JSON.stringify(outcome.analysis.recognizers)).not.toContain('ranking');
  });

  test('only by others gives no more away than that, and keeps the amount of the photo', async () => {
    const [item] = items(await lookWith([[lasagne.id, { strength: 1 }]])) as unknown as [{ because: object }];
    expect(item).toMatchObject({ name: 'Lasagne', servingGrams: 250 });
    expect(item.because).toEqual({ kind: 'household_eats_this' });
  });

  test('and is not on the photo changes nothing at all', async () => {
    const without = await look({ recognizers: [scanned()] });
    for (const foods of [[], [['starter:soup', eaten()]], [['starter:gone', eaten()]]] as const)
      expect(JSON.stringify(items(await lookWith(foods)))).toBe(JSON.stringify(items(without)));
  });

  test('is read for photos of dishes alone', async () => {
    let reads = 0;
    const bar = food('bar', 'Bar', { barcode: '4006381333931' });
    const code = { kind: 'barcode', digits: '4006381333931', confidence: 1 } as const;
    const habits = async () => {
      reads++;
      return undefined;
    };
    await look({ recognizers: [seeing('barcode', [code])], foods: [bar], habits });
    expect(reads).toBe(0);
    await look({ recognizers: [scanned()], habits });
    expect(reads).toBe(1);
    expect(foodsOf([]).habits).toBeUndefined();
  });
});
