/** The project's own labelled texts in eight languages, `training/texts`. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import { readLabelledTexts } from '../../tools/texts/labelled-texts.ts';
import { type Figures, figuresOf, type JudgedText, judgeTexts, writeWrong } from './judged-texts.ts';

const TEXTS = fileURLToPath(new URL('../../training/texts/', import.meta.url));
const SETS = ['fit', 'kept'] as const;
const COLUMNS: Readonly<Record<string, (figures: Figures) => string>> = {
  texts: ({ texts }) => String(texts),
  items: ({ count }) => count.toFixed(3),
  kind: ({ kind }) => kind.toFixed(3),
  energy: ({ energy }) => energy.toFixed(3),
  grams: ({ grams }) => grams.toFixed(3),
  right: ({ right }) => right.toFixed(3),
  sure: ({ sure }) => String(sure),
  wrong: ({ sureWrong }) => sureWrong.toFixed(3),
  error: ({ calibrationError }) => calibrationError.toFixed(3),
};

/**
 * Prints the shares of right answers by language and context, for the training texts and the held-out ones; in the
 * row `stated` the context is not inferred.
 * Writes wrong answers of the training texts only, since nobody should look at the others.
 */
export async function measureLabels(catalogue: Catalogue, title: string): Promise<void> {
  const files = readdirSync(TEXTS).filter((file) => file.endsWith('.tsv'));
  const labels = files.flatMap((file) => readLabelledTexts(join(TEXTS, file)));
  const judged = await judgeTexts(labels, catalogue);
  const stated = await judgeTexts(labels, catalogue, { isStated: true });
  for (const set of SETS) {
    const some = judged.filter(({ label }) => label.set === set);
    console.log(`labelled texts, ${title}, set ${set}`);
    console.log(row('', Object.keys(COLUMNS)));
    for (const [name, part] of [
      ...Map.groupBy(some, ({ label }) => label.language ?? ''),
      ...Map.groupBy(some, ({ label }) => label.context ?? ''),
      ['all', some] as [string, JudgedText[]],
      ['stated', stated.filter(({ label }) => label.set === set)] as [string, JudgedText[]],
    ]) {
      const figures = figuresOf(part);
      console.log(
        row(
          name,
          Object.values(COLUMNS).map((of) => of(figures)),
        ),
      );
    }
  }
  writeWrong(
    `larder-labels-${title.replaceAll(' ', '-')}-worst.txt`,
    judged.filter(({ label }) => label.set === 'fit'),
  );
}

function row(name: string, values: readonly string[]): string {
  return name.padEnd(8) + values.map((value) => value.padStart(7)).join('');
}
