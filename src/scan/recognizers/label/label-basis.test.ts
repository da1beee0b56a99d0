import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Line, tableRow, textLines } from '../../../../test/support/labels/text-lines.ts';
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
    ['Sev.Sie 2 Tbsp (32g)', { value: 2, unit: 'Tbsp', basisAmount: 32 }],
    ['ServinSize 1 bar (30g)', { value: 1, unit: 'bar', basisAmount: 30 }],
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
      const read = readLabel(textLines([[0, text]], ...perServing), words);
      expect(read).not.toHaveProperty('per100');
      expect(read).not.toHaveProperty('serving.basisAmount');
    },
  );
});

describe('a label without the weight of a serving', () => {
  const read = (...rows: readonly Line[]) => readLabel(textLines(...rows), words);
  const values: readonly Line[] = [
    tableRow('Calories', '140'),
    tableRow('Total Fat', '0g'),
    tableRow('Sodium', '50mg'),
    tableRow('Total Carbohydrate', '33g'),
    tableRow('Protein', '2g'),
  ];
  const perServing = { energy: 140, fat: 0, sodium: 50, carbohydrates: 33, protein: 2 };

  it.each([
    'Serving size 1 Bottle',
    'Amount Per Serving',
    'AmountPerServing',
    'Par portion',
    'Por porción',
    'Pro Portion',
    'Per 1 serving',
    '% Daily Value*',
    '% valeur quotidienne',
  ])('that says %s has values of one serving', (text) => {
    const facts = read([[0, text]], ...values);
    expect(facts).toMatchObject({ perServing, serving: { value: 1, unit: 'serving' } });
    expect(facts).not.toHaveProperty('serving.basisAmount');
  });

  it('has those of its first column if the second one is of the package', () => {
    const both = values.map(([name, cell]): Line => [name!, cell!, [340, cell![1].replace(/\d+/, '99')]]);
    expect(read(tableRow('', 'Per serving', 'Per container'), ...both)).toMatchObject({ perServing });
    expect(read([[0, 'Amount per serving']], ...both)).toMatchObject({ refused: 'no_serving_weight' });
  });

  it.each<[string, readonly Line[]]>([
    ['says nothing of servings', values],
    [
      'may be per 100 g',
      [[[0, 'Servings: 8']], [[0, 'Typical values']], [[300, 'Per serving']], [[300, 'Per 1O g']], ...values],
    ],
    [
      'states kJ, as labels per 100 g do',
      [[[0, 'Per serving']], tableRow('Energy', '586 kJ/140 kcal'), ...values.slice(1)],
    ],
  ])('is rejected if it %s', (_, rows) => {
    expect(read(...rows)).toMatchObject({ refused: 'no_serving_weight' });
  });

  it('is rejected if the values do not add up as they are printed', () => {
    const more = (...rows: readonly Line[]) => read([[0, 'Amount per serving']], ...rows);
    const refused = { refused: 'does_not_add_up' };
    expect(more(tableRow('Calories', '240'), ...values.slice(1))).toMatchObject(refused);
    // They would with 1 g of fat.
    expect(more(values[0]!, tableRow('Total Fat', '10g'), ...values.slice(2))).toMatchObject(refused);
  });
});
