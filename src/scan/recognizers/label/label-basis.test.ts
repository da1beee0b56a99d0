import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Line, textLines } from '../../../../test/support/labels/text-lines.ts';
import { readLabel } from './read-label.ts';
import { NutrientWords } from './words/nutrient-words.ts';

const words = NutrientWords.parse(
  readFileSync(new URL('../../../foods/import/table/label-words.tsv', import.meta.url), 'utf8'),
);

describe('values have the basis that their table states', () => {
  const table: Line[] = [
    [
      [0, 'Energy'],
      [400, '1046 kJ/250 kcal'],
    ],
    [
      [0, 'Fat'],
      [400, '10 g'],
    ],
    [
      [0, 'Carbohydrate'],
      [400, '30 g'],
    ],
    [
      [0, 'Protein'],
      [400, '10 g'],
    ],
  ];
  const blank: Line[] = [[], [], [], [], [], [], [], []];
  const portion: Line = [[0, 'This pack contains 4 portions of 50 g']];
  const perServing: Line[] = [
    [[0, 'Serving size 1/2 bar (50 g)']],
    ...table.map((row) => row.map(([x, text]): Line[number] => [x === 0 ? 0 : 200, text])),
  ];

  it.each([
    ['a title left of its only column', [[[0, 'Nutrition information per 100 g']], ...table, portion]],
    ['a title below a portion', [portion, [[0, 'per 100 g']], ...table]],
    ['a hundred written out', [[[400, 'per 100 gram']], ...table, portion]],
    ['a hundred abbreviated', [[[400, 'per 100 gr.']], ...table, portion]],
  ] as [string, Line[]][])('per 100 g: %s', (_, rows) => {
    expect(readLabel(textLines(...rows), words)).toMatchObject({
      basis: 'g',
      per100: { energy: 250, fat: 10, carbohydrates: 30, protein: 10 },
      serving: { basisAmount: 50 },
    });
  });

  it.each([
    [
      'what the package holds, above',
      [perServing[0]!, ...blank, [[200, 'NET WT 3.5 OZ (100g)']], ...perServing.slice(1)],
    ],
    ['what the package holds, below', [...perServing, [[0, 'Nettofüllmenge: 100 g']]]],
    ['a hundred far above', [[[0, '100 g']], ...blank, ...perServing]],
    ['a hundred far below', [...perServing, ...blank, [[0, '100 g']]]],
  ] as [string, Line[]][])('per serving: %s is not', (_, rows) => {
    expect(readLabel(textLines(...rows), words)).toMatchObject({
      per100: { energy: 500, fat: 20, carbohydrates: 60, protein: 20 },
      serving: { value: 0.5, unit: 'bar', basisAmount: 50 },
    });
  });

  it('soup from powder has values per 100 ml, with a serving in g of powder', () => {
    const rows = [[[400, 'per 100 ml']] as Line, ...table, portion];
    expect(readLabel(textLines(...rows), words)).toMatchObject({
      basis: 'ml',
      per100: { energy: 250 },
      serving: { value: 100, unit: 'ml', basisAmount: 100 },
    });
  });
});

describe('ounces on labels are 28 g or 30 ml', () => {
  const perServing: Line[] = [
    [[0, 'Calories 160']],
    [[0, 'Total Fat 10g']],
    [[0, 'Total Carbohydrate 15g']],
    [[0, 'Protein 2g']],
  ];
  const grams = (amount: number) => ({ value: amount, unit: 'g', basisAmount: amount });

  it.each([
    ['Serving size 1 ounce', grams(28)],
    ['Serving Size: 1 oz.', grams(28)],
    ['Serving size 1oz', grams(28)],
    ['Serving size 1 0Z', grams(28)],
    ['Serving size 1.5 oz', grams(42)],
    ['Serving size 1 1/2 oz', grams(42)],
    ['Serving size 1½ oz', grams(42)],
    ['Serv. size 3 ounces', grams(84)],
    ['Serving size 1 oz (28g)', grams(28)],
    ['Serving size 1 oz (28g/about 12 chips)', grams(28)],
    ['Serving size 1 oz (about 12 chips)', grams(28)],
    ['Servings per container 2 Serving size 2 oz (57g)', grams(57)],
    ['Serving size 4 cookies (1 oz)', { value: 4, unit: 'cookies', basisAmount: 28 }],
    ['Serving size 3/4 cup (1 oz)', { value: 0.75, unit: 'cup', basisAmount: 28 }],
  ])('%s', (size, serving) => {
    const read = readLabel(textLines([[0, size]], ...perServing), words);
    expect(read).toMatchObject({
      basis: 'g',
      serving,
      per100: { protein: expect.closeTo(200 / serving.basisAmount, 3) },
    });
  });

  it.each([
    ['Serving size 8 fl oz', { value: 240, unit: 'ml', basisAmount: 240 }],
    ['Serving size 1 can (12 FL. OZ.)', { value: 1, unit: 'can', basisAmount: 360 }],
    ['Serving size 8 fl oz (237 mL)', { value: 8, unit: 'fl oz', basisAmount: 237 }],
  ])('%s is a volume', (size, serving) => {
    expect(readLabel(textLines([[0, size]], ...perServing), words)).toMatchObject({ basis: 'ml', serving });
  });

  it.each(['NET WT 16 OZ', 'Serving size 1/0 oz', 'Servings per 12 oz bag: 8', 'Serving size 0 oz'])(
    '%s is not',
    (text) => {
      expect(readLabel(textLines([[0, text]], ...perServing), words)).toMatchObject({
        refused: 'no_serving_weight',
      });
    },
  );
});
