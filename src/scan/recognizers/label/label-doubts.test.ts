import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Line, tableRow as row, textLines } from '../../../../test/support/labels/text-lines.ts';
import { readLabel } from './read-label.ts';
import { NutrientWords } from './words/nutrient-words.ts';

const words = NutrientWords.parse(
  readFileSync(new URL('../../../foods/import/table/label-words.tsv', import.meta.url), 'utf8'),
);
const read = (...rows: readonly Line[]) => readLabel(textLines(...rows), words);

describe('energy that the rows do not explain', () => {
  it.each(['Isomalt', 'Sorbitol', 'Erythritol', 'davon mehrwertige Alkohole'])('may be less: %s', (name) => {
    expect(
      read(
        row('', '100 g'),
        row('Energy', '240 kcal'),
        row('Fat', '0 g'),
        row('Carbohydrate', '98 g'),
        row(name, '96 g'),
        row('Protein', '0 g'),
      ),
    ).toMatchObject({ per100: { energy: 240, carbohydrates: 98 } });
  });

  it.each(['alc. 5.0% vol', 'Alkohol 5 % vol.', '5,0 % VOL', 'ALC 5% BY VOL'])(
    'may be of alcohol: %s',
    (text) => {
      expect(
        read(
          [[0, text]],
          row('', '100 ml'),
          row('Energy', '43 kcal'),
          row('Fat', '0 g'),
          row('Carbohydrate', '3,6 g'),
          row('Protein', '0,5 g'),
        ),
      ).toMatchObject({ basis: 'ml', per100: { energy: 43, carbohydrates: 3.6 } });
    },
  );
});

describe('zeros of tiny servings', () => {
  const facts = (size: string, energy: string, fat: string, sugars: string) =>
    read(
      row(`Serving size ${size}`),
      row('Calories', energy),
      row('Total Fat', fat),
      row('Sodium', '55mg'),
      row('Total Carbohydrate', '0g'),
      row('Sugars', sugars),
      row('Protein', '0g'),
    );

  it('are values of one serving, and not of 100 g', () => {
    const spray = facts('1 spray (0.25g)', '0', '0g', '0g');
    expect(spray).toMatchObject({
      perServing: { energy: 0, fat: 0, sodium: 55, carbohydrates: 0, protein: 0 },
      serving: { value: 1, unit: 'spray', basisAmount: 0.25 },
    });
    expect(spray).not.toHaveProperty('per100');
    expect(facts('1 tsp (5g)', '0', '0g', '0g')).toMatchObject({ serving: { basisAmount: 5 } });
  });

  it('beside values that explain the energy, only the required ones are kept', () => {
    const butter = facts('1 pat (5g)', '35', '4g', '0g');
    expect(butter).toMatchObject({ per100: { energy: 700, fat: 80, carbohydrates: 0, protein: 0 } });
    expect(butter).not.toHaveProperty('per100.sugars');
  });

  it('are values of usual servings', () => {
    expect(facts('1 tbsp (14g)', '120', '14g', '0g')).toMatchObject({ per100: { sugars: 0 } });
  });
});

describe('an unreadable head', () => {
  const table = (...heads: readonly string[]) =>
    read(
      row('', ...heads),
      row('Energy', '435 kJ / 102 kcal', '65 kJ / 15 kcal'),
      row('Fat', '0.1 g', 'Trace'),
      row('Carbohydrate', '23.2 g', '3.5 g'),
      row('of which sugars', '22.8 g', '3.4 g'),
      row('Protein', '1.2 g', '0.2 g'),
      row('Salt', '1.8 g', '0.27 g'),
    );

  it('of the column per 100 g is inferred from the serving', () => {
    expect(table('Per 10g', 'Per serving (15 g)')).toMatchObject({
      per100: { energy: 102, carbohydrates: 23.2, protein: 1.2, sodium: 720 },
      serving: { basisAmount: 15 },
    });
  });

  it('of the serving beside that per 100 g does not move it to the next column', () => {
    const line: Line = [[250, 'Per 100g Prsseevnng 15c']];
    const cells = (name: string, own: string, other: string): Line => [
      [0, name],
      [270, own],
      [380, other],
    ];
    const facts = read(
      [[0, 'Serving size 15 g']],
      line,
      cells('Energy', '102 kcal', '15 kcal'),
      cells('Fat', '0.1 g', 'Trace'),
      cells('Carbohydrate', '23.2 g', '3.5 g'),
      cells('of which sugars', '22.8 g', '3.4 g'),
      cells('Protein', '1.2 g', '0.2 g'),
    );
    expect(facts).toMatchObject({ per100: { energy: 102, carbohydrates: 23.2 } });
  });

  it('is noticed if the columns have the ratio of the serving the other way round', () => {
    const columns = (share: number) =>
      read(
        [[0, `Serving size ${100 * share} g`]],
        row('', 'Per 100 g', 'Per serving'),
        row('Energy', '15 kcal', '102 kcal'),
        row('Fat', '0 g', '0.1 g'),
        row('Carbohydrate', '3.5 g', '23.2 g'),
        row('Protein', '0.2 g', '1.2 g'),
      );
    expect(columns(0.15)).toMatchObject({ refused: 'heads_unread' });
    expect(columns(6.5)).toMatchObject({ per100: { energy: 15 } });
  });

  it('and is not inferred if the columns have another ratio', () => {
    expect(table('Per 10g', 'Per serving (40 g)')).toHaveProperty('refused');
  });

  it('and is not the share of an ingredient in a text beside the table', () => {
    const beside: Line = [
      [0, 'Salt'],
      [300, '1.8 g'],
      [460, '0.27 g'],
      [620, 'Tomatoes (148g per 100g Ketchup)'],
    ];
    const facts = read(
      row('', '', 'Per serving (15 g)'),
      row('Energy', '102 kcal', '15 kcal'),
      row('Fat', '0.1 g', '0 g'),
      row('Carbohydrate', '23.2 g', '3.5 g'),
      row('of which sugars', '22.8 g', '3.4 g'),
      row('Protein', '1.2 g', '0.2 g'),
      beside,
    );
    expect(facts).toMatchObject({ per100: { energy: 102, fat: 0.1 }, serving: { basisAmount: 15 } });
  });
});

it('values that are all ten times too small are rejected, although they are consistent', () => {
  expect(
    read(
      row('', '100 g'),
      row('Calories', '55'),
      row('Fat', '0.3 g'),
      row('Carbohydrate', '159 g'),
      row('Protein', '0.2 g'),
    ),
  ).toMatchObject({ refused: 'does_not_add_up' });
});

it('lines of text across the table do not bend its rows', () => {
  const upright = textLines([[700, 'DISTRIBUTED BY EXAMPLE FOODS LIMITED, LONDON']]).map((line) => ({
    ...line,
    region: { ...line.region, angle: Math.PI / 2 - 0.001 },
  }));
  const lines = textLines(
    row('', '100 g'),
    row('Energy', '435 kJ / 102 kcal'),
    row('Fat', '0.1 g'),
    row('Carbohydrate', '23.2 g'),
    row('Protein', '1.2 g'),
  );
  expect(readLabel([...lines, ...upright], words)).toMatchObject({
    per100: { energy: 102, carbohydrates: 23.2 },
  });
});

it('traffic lights, whose amounts are below their names, are not a table but name nutrients', () => {
  expect(
    read(row('Energy', 'Fat', 'Saturates', 'Sugars', 'Salt'), row('', '15.5g', '8.5g', '12.2g', '0.3g')),
  ).toMatchObject({ refused: 'values_missing', unread: ['energy', 'fat', 'saturatedFat', 'sugars', 'salt'] });
});
