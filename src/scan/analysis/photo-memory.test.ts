import type { FoodId } from '@larder/core/food.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dish, food, lasagne, look, pizza, seeing, spread } from '../../../test/support/analysed-photos.ts';
import type { DishProposal, Proposal } from '../recognizer.ts';
import type { ScanItem } from '../scan-result.ts';
import type { EatenBefore, Habits } from './habits.ts';
import { foodsLike, judgeLikeness, MEMORY_RULE, type RememberedPhoto } from './photo-memory.ts';

const SIZE = 16;
const vector = fc
  .array(fc.integer({ min: -127, max: 127 }), { minLength: SIZE, maxLength: SIZE })
  .filter((values) => values.some((value) => value !== 0))
  .map((values) => Int8Array.from(values));
const photo = fc.record({ foodId: fc.constantFrom('a', 'b', 'c', 'd', 'e'), vector });

describe('the foods of photos that look alike', () => {
  test('are each there once, by their nearest photo, the most alike first', () => {
    fc.assert(
      fc.property(vector, fc.array(photo), fc.integer({ min: 1, max: 5 }), (own, photos, limit) => {
        const cosineTo = (other: Int8Array) =>
          own.reduce((sum, value, at) => sum + value * other[at]!, 0) /
          (Math.hypot(...own) * Math.hypot(...other));
        const likes = foodsLike(own, photos, limit);
        const foods = new Set(photos.map(({ foodId }) => foodId));
        expect(likes).toHaveLength(Math.min(limit, foods.size));
        expect(new Set(likes.map(({ foodId }) => foodId)).size).toBe(likes.length);
        for (const { foodId, cosine } of likes) {
          const all = photos
            .filter((other) => other.foodId === foodId)
            .map((other) => cosineTo(other.vector));
          expect(cosine).toBeCloseTo(Math.max(...all), 9);
        }
        const cosines = likes.map(({ cosine }) => cosine);
        expect(cosines).toEqual(cosines.toSorted((a, b) => b - a));
      }),
    );
  });

  test('do not come from vectors of another length, or without a direction', () => {
    const own = Int8Array.from([1, 2]);
    expect(foodsLike(own, [{ foodId: 'a', vector: Int8Array.from([1, 2, 3]) }], 3)).toEqual([]);
    expect(foodsLike(own, [{ foodId: 'a', vector: new Int8Array(2) }], 3)).toEqual([
      { foodId: 'a', cosine: 0 },
    ]);
  });

  test('have confidences below 1 together, less where the network knows a stranger', () => {
    const cosines = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(cosines, share, (all, stranger) => {
        const likes = all.map((cosine) => ({ cosine }));
        const [without, judged] = [judgeLikeness(likes, 0), judgeLikeness(likes, stranger)];
        expect(judged.reduce((sum, { confidence }) => sum + confidence, 0)).toBeLessThan(1);
        for (const [at, { score, confidence, cosine }] of judged.entries()) {
          expect(score).toBeCloseTo(cosine - MEMORY_RULE.stranger * stranger, 12);
          if (judged.length === 1) expect(confidence).toBeLessThanOrEqual(without[at]!.confidence);
        }
      }),
    );
  });
});

describe('a photo like one on which a food was confirmed', () => {
  const muesli = food('muesli', 'Muesli of granny', {
    servings: [{ value: 1, unit: 'bowl', basisAmount: 180 }],
  });
  const stew = food('stew', 'Stew');
  const NETWORK = 'net 1';
  /** Photos whose cosine to the one that is looked at is the first number of their vector, in hundredths. */
  const like = (foodId: string, hundredths: number, date?: string): RememberedPhoto => ({
    foodId,
    vector: Int8Array.from([hundredths, Math.round(Math.sqrt(100 ** 2 - hundredths ** 2))]),
    ...(date !== undefined && { date }),
  });
  const seen = (confidence: number): DishProposal => {
    const alternatives = [{ label: 'lasagne', foodId: lasagne.id, confidence: 0.05 }];
    const proposal = dish(pizza.id, { confidence, alternatives, sureFrom: 0.46 }) as DishProposal;
    const values = Buffer.from(Int8Array.from([100, 0])).toString('base64');
    return { ...proposal, ranking: { ...proposal.ranking, vector: { network: NETWORK, values } } };
  };
  const lookAt = async (
    confidence: number,
    photos: readonly RememberedPhoto[],
    eaten: readonly (readonly [string, EatenBefore])[] = [],
    beside: readonly Proposal[] = [],
  ) => {
    const foods = [spread, pizza, lasagne, muesli, stew];
    const habits: Habits = {
      foods: new Map(eaten),
      repeats: 0.2,
      memory: {
        photosOf: async (network) => (network === NETWORK ? photos : []),
        findFood: async (id) => foods.find((each) => each.id === id),
      },
    };
    const outcome = await look({
      recognizers: [seeing('dish', [seen(confidence), ...beside])],
      foods,
      habits: async () => habits,
    });
    if (!('result' in outcome)) throw new Error('nothing was found');
    return { outcome, item: outcome.result.items[0]! };
  };
  const shares = ({ confidence, alternatives }: ScanItem) =>
    [confidence, ...alternatives.map((each) => each.confidence)].reduce((sum, each) => sum + each, 0);

  test('proposes the food first if it is alike enough, unsure, with the day of that photo', async () => {
    const { item, outcome } = await lookAt(0.3, [like(muesli.id, 60), like(muesli.id, 98, '2026-11-12')]);
    expect(item).toMatchObject({
      name: muesli.name,
      foodId: muesli.id,
      unsure: true,
      likePhoto: { date: '2026-11-12' },
      serving: { value: 1, unit: 'bowl' },
      servingGrams: 180,
      alternatives: [{ foodId: pizza.id }, { foodId: lasagne.id }],
    });
    expect(item).not.toHaveProperty('because');
    expect(shares(item)).toBeLessThanOrEqual(1.001);
    expect('vector' in outcome && outcome.vector).toMatchObject({ network: NETWORK });
    expect(JSON.stringify(outcome.analysis.recognizers)).not.toContain(NETWORK);
  });

  test('is the whole plate if it is alike enough; else its foods stay, of which nothing is kept but the photo', async () => {
    const beside = [dish(stew.id, { box: { left: 0.5, top: 0, width: 0.5, height: 1 } })];
    const alike = await lookAt(0.5, [like(muesli.id, 98)], [], beside);
    expect(alike.outcome.result.items).toMatchObject([{ foodId: muesli.id, likePhoto: {} }]);
    expect(alike.item).not.toHaveProperty('box');
    const { outcome } = await lookAt(0.5, [like(muesli.id, 10)], [], beside);
    expect(outcome.result.items).toMatchObject([
      { foodId: pizza.id },
      { foodId: stew.id, box: { left: 0.5 } },
    ]);
    expect('vector' in outcome && outcome.vector).toMatchObject({ network: NETWORK });
  });

  test('of somebody who shares their diary says no day', async () => {
    const { item } = await lookAt(0.3, [like(muesli.id, 98)]);
    expect(item).toMatchObject({ foodId: muesli.id, likePhoto: {} });
  });

  test('proposes it in the usual amount of its owner', async () => {
    const usual: EatenBefore = { strength: 1, own: { times: 2, last: '2026-11-12', usualAmount: () => 240 } };
    const { item } = await lookAt(0.3, [like(muesli.id, 98)], [[muesli.id, usual]]);
    expect(item).toMatchObject({ foodId: muesli.id, servingGrams: 240 });
  });

  test('proposes it below what the network sees if it is less alike, or the network is sure of a stranger', async () => {
    for (const [confidence, hundredths] of [
      [0.3, 66],
      [0.95, 87],
    ] as const) {
      const { item } = await lookAt(confidence, [like(muesli.id, hundredths, '2026-11-12')]);
      expect(item).toMatchObject({ foodId: pizza.id });
      expect(item).not.toHaveProperty('likePhoto');
      const others = item.alternatives.filter(({ foodId }) => foodId === muesli.id);
      for (const other of others)
        expect(other).toMatchObject({
          likePhoto: { date: '2026-11-12' },
          servingSize: { value: 1, unit: 'bowl' },
        });
      expect(item.confidence).toBeLessThanOrEqual(confidence);
      expect(shares(item)).toBeLessThanOrEqual(1.001);
    }
    const { item } = await lookAt(0.3, [like(muesli.id, 66)]);
    expect(item.alternatives.at(-1)).toMatchObject({ foodId: muesli.id });
  });

  test('a food that the household eats is no stranger', async () => {
    const photos = [like(muesli.id, 80)];
    expect((await lookAt(0.9, photos)).item).toMatchObject({ foodId: pizza.id });
    const eaten = await lookAt(0.9, photos, [[pizza.id, { strength: 0.1 }]]);
    expect(eaten.item).toMatchObject({ foodId: muesli.id });
  });

  test('proposes at most three foods, and none that is gone', async () => {
    const photos = ['starter:gone', muesli.id, stew.id, spread.id, lasagne.id].map((id, at) =>
      like(id, 99 - at),
    );
    const { item } = await lookAt(0.05, photos);
    expect(item.foodId).toBe(muesli.id);
    const proposed = [item, ...item.alternatives].filter(({ likePhoto }) => likePhoto !== undefined);
    expect(proposed.map(({ foodId }) => foodId)).toEqual([muesli.id, stew.id, spread.id]);
  });

  test('a food that the network sees, too, is there once, and likelier by both', async () => {
    const { item } = await lookAt(0.3, [like(lasagne.id, 98, '2026-11-12')]);
    expect(item).toMatchObject({ foodId: lasagne.id, likePhoto: { date: '2026-11-12' } });
    expect(item.alternatives.map(({ foodId }) => foodId)).toEqual([pizza.id]);
    const below = (await lookAt(0.3, [like(lasagne.id, 66)])).item;
    expect(below.alternatives.map(({ foodId }) => foodId)).toEqual([lasagne.id]);
    expect(below.alternatives[0]!.confidence).toBeGreaterThan(0.05);
  });

  test('changes nothing where no photo was kept, or it is not alike at all', async () => {
    const { item } = await lookAt(0.5, []);
    expect(item).toMatchObject({ foodId: pizza.id, confidence: 0.5 });
    expect((await lookAt(0.5, [like(muesli.id, 5)])).item).toEqual(item);
    const gone = [like('starter:gone' as FoodId, 99)];
    expect((await lookAt(0.5, gone)).item).toEqual(item);
  });
});
