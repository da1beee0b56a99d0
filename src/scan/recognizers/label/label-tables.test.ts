import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Line, tableRow as row, textLines } from '../../../../test/support/labels/text-lines.ts';
import { readLabel } from './read-label.ts';
import { NutrientWords } from './words/nutrient-words.ts';

const words = NutrientWords.parse(
  readFileSync(new URL('../../../foods/import/table/label-words.tsv', import.meta.url), 'utf8'),
);
const read = (...rows: readonly Line[]) => readLabel(textLines(...rows), words);

describe('an unreadable cell is missing', () => {
  const dual = (fat: Line, sugars: Line, protein: Line) =>
    read(
      row('Serving size 1 bar (40g)'),
      row('Calories', '180', '360'),
      fat,
      row('Saturated Fat', '3g', '6g'),
      row('Sodium', '120mg', '240mg'),
      row('Total Carbohydrate', '22g', '44g'),
      sugars,
      protein,
    );
  const [fat, sugars, protein] = [
    row('Total Fat', '8g', '16g'),
    row('Sugars', '10g', '20g'),
    row('Protein', '5g', '10g'),
  ];

  it('and does not get the value of the next column', () => {
    const facts = dual(fat, row('Sugars', '', '20g'), protein);
    expect(facts).toMatchObject({ per100: { energy: 450, fat: 20, protein: 12.5 } });
    expect(facts).not.toHaveProperty('per100.sugars');
  });

  it('also if its unit became a digit', () => {
    expect(dual(fat, sugars, row('Protein', '59', '10g'))).toMatchObject({ per100: { protein: 12.5 } });
    expect(dual(fat, row('Sugars', '79', '14g'), protein)).toMatchObject({ per100: { sugars: 17.5 } });
  });

  it('so a label without a required cell is rejected, and the error names it', () => {
    expect(dual(row('Total Fat', '', '16g'), sugars, protein)).toMatchObject({
      refused: 'values_missing',
      unread: ['fat'],
    });
  });

  it('in slanted columns', () => {
    const lean = (line: Line, by: number): Line => line.map(([x, text], at) => [at === 0 ? x : x + by, text]);
    const facts = read(
      lean(row('per 100 g', 'Je 100 g', 'Portion 30 g'), 0),
      lean(row('Brennwert', '2000 kJ / 478 kcal', ''), 0),
      lean(row('Fett', '22 g', '6,6 g'), 60),
      lean(row('davon gesättigte Fettsäuren', '', '3,3 g'), 80),
      lean(row('Kohlenhydrate', '60 g', '18 g'), 100),
      lean(row('davon Zucker', '30 g', '9 g'), 120),
      lean(row('Eiweiß', '10 g', '3 g'), 140),
    );
    expect(facts).toMatchObject({ per100: { fat: 22, carbohydrates: 60, sugars: 30, protein: 10 } });
    expect(facts).not.toHaveProperty('per100.saturatedFat');
  });
});

describe('units', () => {
  it('are read in the name', () => {
    expect(
      read(
        row('', 'per 100 g'),
        row('Energy (kJ)', '1567'),
        row('Fat (g)', '10'),
        row('Carbohydrate (g)', '60'),
        row('Protein (g)', '12'),
        row('Sodium (mg)', '820'),
      ),
    ).toMatchObject({ per100: { energy: 374.522, fat: 10, carbohydrates: 60, protein: 12, sodium: 820 } });
  });

  it('are read in a separate column', () => {
    expect(
      read(
        [[460, '100 g']],
        row('Energía', 'kJ', '1567'),
        row('', 'kcal', '375'),
        row('Grasas', 'g', '10'),
        row('Hidratos de carbono', 'g', '60'),
        row('Proteínas', 'g', '12'),
        row('Sal', 'mg', '280'),
      ),
    ).toMatchObject({ per100: { energy: 375, fat: 10, carbohydrates: 60, protein: 12, sodium: 112 } });
  });

  it('are read in pairs', () => {
    expect(
      read(
        row('', '100 g'),
        row('Energie (kJ/kcal)', '1567/375'),
        row('Matières grasses (g)', '10'),
        row('Glucides (g)', '60'),
        row('Protéines (g)', '12'),
      ),
    ).toMatchObject({ per100: { energy: 375, fat: 10 } });
  });
});

describe('of the food as sold and prepared', () => {
  const table = (heads: Line, ...columns: readonly (readonly [string, string, string, string])[]) =>
    read(
      row('Serving size 50g'),
      heads,
      row('Calories', ...columns.map(([energy]) => energy)),
      row('Total Fat', ...columns.map(([, fat]) => fat)),
      row('Total Carbohydrate', ...columns.map(([, , carbs]) => carbs)),
      row('Protein', ...columns.map(([, , , protein]) => protein)),
    );
  const mix = ['190', '2g', '38g', '5g'] as const;
  const made = ['290', '10g', '40g', '9g'] as const;

  it.each([
    ['Dry mix', 'Prepared', [mix, made]],
    ['Prepared', 'Dry mix', [made, mix]],
    ['As packaged', 'As prepared', [mix, made]],
    ['zubereitet', 'Pulver', [made, mix]],
    ['Avec lait', 'Poudre', [made, mix]],
    ['Cereal', 'with 1/2 cup skim milk', [mix, made]],
    ['unprepared', 'prepared', [mix, made]],
  ] as const)('under "%s" and "%s", the food as sold is read', (left, right, columns) => {
    expect(table(row('', left, right), ...columns)).toMatchObject({
      per100: { energy: 380, fat: 4, carbohydrates: 76, protein: 10 },
    });
  });

  it('per 100 g of powder, not per 100 ml of soup', () => {
    expect(
      read(
        row('', 'zubereitet', 'Pulver'),
        row('', '100 ml', '100 g'),
        row('Brennwert', '35 kcal', '350 kcal'),
        row('Fett', '0,8 g', '8 g'),
        row('Kohlenhydrate', '5,5 g', '55 g'),
        row('Eiweiß', '1,2 g', '12 g'),
      ),
    ).toMatchObject({ basis: 'g', per100: { energy: 350, fat: 8, carbohydrates: 55, protein: 12 } });
  });
});

describe('a serving', () => {
  it('is read in the second line of a head', () => {
    expect(
      read(
        row('', '100 g', 'pro Portion'),
        row('', '', '(15 g)'),
        row('Brennwert', '350 kcal', '53 kcal'),
        row('Fett', '8 g', '1,2 g'),
        row('Kohlenhydrate', '55 g', '8,3 g'),
        row('Eiweiß', '12 g', '1,8 g'),
      ),
    ).toMatchObject({ serving: { value: 15, unit: 'g', basisAmount: 15 } });
  });

  it.each([
    ['80 g', 80],
    ['1 Riegel (25 g)', 25],
    ['12,5 g', 12.5],
  ])('is the amount of the other head: %s', (head, basisAmount) => {
    expect(
      read(
        row('', '100 g', head),
        row('Brennwert', '350 kcal', ''),
        row('Fett', '8 g', '1 g'),
        row('Kohlenhydrate', '55 g', '7 g'),
        row('Eiweiß', '12 g', '2 g'),
      ),
    ).toMatchObject({ serving: { basisAmount }, per100: { fat: 8 } });
  });
});
