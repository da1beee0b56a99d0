import { toFoodId } from '@larder/core/food.ts';
import { describe, expect, it } from 'vitest';
import { dish, food, lasagne, look, pizza, seeing } from '../../../test/support/analysed-photos.ts';
import type { Proposal } from '../recognizer.ts';

describe('a dish', () => {
  it('becomes the food of its label, in a typical portion with a range', async () => {
    const alternatives = [
      { label: 'lasagna', foodId: lasagne.id, confidence: 0.123456 },
      { label: 'gone', foodId: toFoodId('starter', 'gone'), confidence: 0.05 },
    ];
    const outcome = await look({ recognizers: [seeing('dish', [dish(pizza.id, { alternatives })])] });
    expect(outcome).toMatchObject({
      result: {
        name: 'Pizza',
        calories: 665,
        items: [
          {
            origin: 'dish',
            servingGrams: 250,
            servingRangeGrams: { low: 150, high: 400 },
            alternatives: [{ name: 'Lasagne', foodId: 'starter:lasagne', confidence: 0.123 }],
          },
        ],
      },
    });
  });

  it('stays unsure if its recognizer is unsure', async () => {
    const outcome = await look({
      recognizers: [seeing('dish', [dish(pizza.id, { unsure: true, confidence: 0.2 })])],
    });
    expect(outcome).toMatchObject({ result: { items: [{ unsure: true, confidence: 0.2 }] } });
  });

  it('recognized by name becomes the most similar food, in the estimated grams', async () => {
    const named: Proposal = { kind: 'named', name: 'pizza', grams: 200, confidence: 0.7 };
    const outcome = await look({ recognizers: [seeing('remote', [named])] });
    expect(outcome).toMatchObject({
      result: {
        calories: 532,
        items: [{ foodId: 'starter:pizza', confidence: 0.7, servingRangeGrams: { low: 120, high: 320 } }],
      },
    });
  });

  it('recognized by name and similar to no food is left to the next recognizer', async () => {
    const named: Proposal = { kind: 'named', name: 'cauliflower curry with pizza', confidence: 0.9 };
    const next = seeing('dish', [dish(lasagne.id)]);
    const { analysis } = await look({ recognizers: [seeing('remote', [named]), next] });
    expect(analysis.recognizers.map(({ outcome }) => outcome)).toEqual(['not_in_catalogue', 'recognized']);
  });
});

describe('a plate of several foods', () => {
  it('has totals that equal the sum of its items', async () => {
    const tenth = food('tenth', 'Tenth', {
      per100: { energy: 0.1, protein: 0.1, fat: 0.2, carbohydrates: 0.7 },
    });
    const other = { ...tenth, id: toFoodId('starter', 'other') };
    const proposals = [tenth, pizza, other].map(({ id }) =>
      dish(id, { grams: { typical: 100, low: 1, high: 2 } }),
    );
    const outcome = await look({ recognizers: [seeing('dish', proposals)], foods: [tenth, pizza, other] });
    expect(outcome).toMatchObject({
      result: {
        name: 'Tenth, Pizza, Tenth',
        calories: 266.2,
        protein: 11.2,
        fat: 10.4,
        carbs: 34.4,
        servingSize: 300,
      },
    });
  });

  it('has a food once, with the place of its first proposal', async () => {
    const box = { left: 0, top: 0, width: 0.5, height: 0.5 };
    const proposals = [
      dish(pizza.id, { box }),
      dish(lasagne.id),
      dish(pizza.id, { box: { ...box, top: 0.5 } }),
    ];
    const outcome = await look({ recognizers: [seeing('dish', proposals)] });
    expect(outcome).toMatchObject({ result: { name: 'Pizza, Lasagne', items: [{ box }, {}] } });
  });
});
