import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LABEL_LAYOUTS } from '../../../../test/support/labels/label-layouts.ts';
import { drawFacts } from '../../../../test/support/labels/printed-facts.ts';
import { textLines } from '../../../../test/support/labels/text-lines.ts';
import { textOfDrawing } from '../../../../test/support/labels/text-of-drawing.ts';
import { runs } from '../../../../test/support/runs.ts';
import { expectedKcal } from '../../../foods/import/normalise/energy.ts';
import { readLabel } from './read-label.ts';
import { NutrientWords } from './words/nutrient-words.ts';

const words = NutrientWords.parse(
  readFileSync(new URL('../../../foods/import/table/label-words.tsv', import.meta.url), 'utf8'),
);
/** Characters that text recognition confuses. */
const SLIPS: Readonly<Record<string, string>> = {
  '0': 'O',
  g: '9',
  '%': '6',
  '1': 'l',
  '3': '8',
  '.': '',
  ',': '',
  '6': '5',
  J: ']',
};

const facts = (step: 0.1 | 1) =>
  fc
    .array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 16, maxLength: 16 })
    .map((numbers) => {
      let at = 0;
      return drawFacts(() => numbers[at++ % numbers.length]!, step);
    });

describe('a label without recognition errors', () => {
  it.each(LABEL_LAYOUTS.map((layout) => [layout.name, layout] as const))(
    'gives what %s prints',
    (_, layout) => {
      fc.assert(
        fc.property(facts(layout.step), (printed) => {
          const read = readLabel(textOfDrawing(layout.draw(printed)), words);
          // With coarse rounding of a small serving no reading may be consistent.
          if ('refused' in read) return read.refused === 'does_not_add_up';
          if ('perServing' in read) throw new Error(`read as ${JSON.stringify(read)}`);
          const { kcal, fat, carbohydrates, protein } = layout.hasHundred
            ? printed.per100
            : printed.perServing;
          const scale = layout.hasHundred ? 1 : 100 / printed.servingAmount;
          expect(read.basis).toBe(printed.basis);
          expect(read.per100.fat).toBeCloseTo(fat * scale, 2);
          expect(read.per100.carbohydrates).toBeCloseTo(carbohydrates * scale, 2);
          expect(read.per100.protein).toBeCloseTo(protein * scale, 2);
          expect(Math.abs(read.per100.energy - kcal * scale)).toBeLessThan(1);
          return true;
        }),
        { numRuns: runs(10) },
      );
    },
  );
});

describe('a label with recognition errors', () => {
  it('is rejected unless the remaining facts are consistent', () => {
    const slipping = fc.tuple(
      fc.constantFrom(...LABEL_LAYOUTS),
      facts(0.1),
      facts(1),
      fc.array(fc.nat(30), { minLength: 8, maxLength: 64 }),
    );
    fc.assert(
      fc.property(slipping, ([layout, fine, coarse, chances]) => {
        let at = 0;
        const slip = (text: string) =>
          [...text]
            .map((letter) => (chances[at++ % chances.length] === 0 ? (SLIPS[letter] ?? letter) : letter))
            .join('');
        const read = readLabel(textOfDrawing(layout.draw(layout.step === 1 ? coarse : fine), slip), words);
        if ('refused' in read) return;
        const isServing = 'perServing' in read;
        // Only labels of one serving are read so: the weight is lost, or the serving is tiny.
        if (isServing) expect(layout.hasHundred).toBe(false);
        const values = isServing ? read.perServing : read.per100;
        const perServing = isServing || layout.hasHundred ? 1 : 100 / read.serving.basisAmount;
        const { energy, fat, carbohydrates, protein, fiber = 0 } = values;
        const expected = expectedKcal(values)!;
        const slack = 22 * perServing + 0.06 * energy;
        expect(energy).toBeGreaterThanOrEqual(expected - 4 * fiber - slack);
        expect(energy).toBeLessThanOrEqual(expected + 2 * fiber + slack);
        if (!isServing) expect(fat + carbohydrates + protein).toBeLessThanOrEqual(100 + 1.5 * perServing);
        expect(values.saturatedFat ?? 0).toBeLessThanOrEqual(fat + perServing);
        expect(values.sugars ?? 0).toBeLessThanOrEqual(carbohydrates + perServing);
      }),
      { numRuns: runs(150) },
    );
  });

  it('corrects "379" to 37 g, which the energy confirms', () => {
    const read = readLabel(
      textLines(
        [[0, 'Nutrition Facts']],
        [
          [0, 'Serving size'],
          [200, '2/3 cup (55g)'],
        ],
        [[0, 'Calories 230']],
        [
          [0, 'Total Fat 8g'],
          [300, '106'],
        ],
        [
          [0, 'Total Carbohydrate 379'],
          [300, '13%'],
        ],
        [[0, 'Dietary Fiber 4g']],
        [[0, 'Protein 3g']],
      ),
      words,
    );
    expect(read).toMatchObject({
      serving: { unit: 'cup', basisAmount: 55 },
      per100: { energy: 418.1818, carbohydrates: 67.2727, fat: 14.5455, protein: 5.4545, fiber: 7.2727 },
    });
  });

  it('reads "Og" as zero, and "<0,5 g" as half of that', () => {
    const read = readLabel(
      textLines(
        [[200, 'pro 100 ml']],
        [
          [0, 'Brennwert'],
          [200, '190 kJ/45 kcal'],
        ],
        [
          [0, 'Fett'],
          [200, 'Og'],
        ],
        [
          [0, 'Kohlenhydrate'],
          [200, '10,6 g'],
        ],
        [
          [0, 'Eiweiß'],
          [200, '<0,5 g'],
        ],
        [
          [0, 'Salz'],
          [200, '0,01 g'],
        ],
      ),
      words,
    );
    expect(read).toMatchObject({
      basis: 'ml',
      per100: { energy: 45, fat: 0, carbohydrates: 10.6, protein: 0.25, sodium: 4 },
      serving: { value: 100, unit: 'ml', basisAmount: 100 },
    });
  });
});

describe('a text that is not a usable label', () => {
  it('is rejected if it names no nutrients', () => {
    expect(readLabel(textLines([[0, 'Menu']], [[0, 'Soup 4.50']], [[0, 'Fish 12.00']]), words)).toMatchObject(
      { refused: 'no_table' },
    );
  });

  it('is rejected with its reason if the letters of its names are unknown', () => {
    const rows = (names: readonly string[]) => [
      [[0, `${names[0]} 1046 kJ 250 kcal`]] as const,
      ...['3.1 g', '1.0 g', '40 g', '120 mg'].map(
        (cell, at) =>
          [
            [0, names[at + 1]!],
            [300, cell],
          ] as const,
      ),
    ];
    // As the reader sees Korean words.
    const korean = rows(['EC', 'X|B', 'H+EA|', 'I|H', 'E']);
    expect(readLabel(textLines(...korean), words)).toMatchObject({ refused: 'names_unread' });
    const dishes = korean.slice(1);
    expect(readLabel(textLines(...dishes), words)).toMatchObject({ refused: 'no_table' });
  });

  it('is rejected if a number must be wrong', () => {
    const read = readLabel(
      textLines(
        [[0, 'per 100 g']],
        [[0, 'Energy 250 kcal']],
        [[0, 'Fat 31.0 g']],
        [[0, 'Carbohydrate 60.0 g']],
        [[0, 'Protein 9.0 g']],
      ),
      words,
    );
    expect(read).toMatchObject({ refused: 'does_not_add_up' });
  });
});
