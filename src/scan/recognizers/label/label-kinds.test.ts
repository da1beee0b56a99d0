import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judged } from '../../../../test/support/labels/kinds/judged.ts';
import { LABEL_KINDS } from '../../../../test/support/labels/kinds/label-kinds.ts';
import { PHOTO_KINDS } from '../../../../test/support/labels/kinds/photo-kinds.ts';
import type { Random } from '../../../../test/support/labels/printed-facts.ts';
import { textOfDrawing } from '../../../../test/support/labels/text-of-drawing.ts';
import { runs } from '../../../../test/support/runs.ts';
import { readLabel } from './read-label.ts';
import { NutrientWords } from './words/nutrient-words.ts';

const words = NutrientWords.parse(
  readFileSync(new URL('../../../foods/import/table/label-words.tsv', import.meta.url), 'utf8'),
);

const random = fc
  .array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 40, maxLength: 40 })
  .map((numbers): Random => {
    let at = 0;
    return () => numbers[at++ % numbers.length]!;
  });

/** Photos of plain labels have the text of one kind. */
const KINDS = LABEL_KINDS.filter((kind) => !PHOTO_KINDS.slice(1).includes(kind));

describe('labels of these kinds have no wrong value', () => {
  it.each(KINDS.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
    fc.assert(
      fc.property(random, (draw) => {
        const label = kind.draw(draw);
        const read = readLabel(textOfDrawing(label.drawing), words);
        if ('refused' in read) {
          // Unreadable values are named, and coarse rounding of small servings may not add up.
          if (label.covered === undefined && label.values !== undefined)
            expect(read.refused).toBe('does_not_add_up');
          return;
        }
        expect(judged(label, read)).toEqual({ wrong: [], missing: [] });
      }),
      { numRuns: runs(30) },
    );
  });
});

it('rejects traffic lights', () => {
  const lights = LABEL_KINDS.find(({ name }) => name === 'traffic lights alone')!;
  for (const chance of [0.1, 0.4, 0.7, 0.9]) {
    const { drawing } = lights.draw(() => chance);
    expect(readLabel(textOfDrawing(drawing), words)).toMatchObject({ refused: 'values_missing' });
  }
});
