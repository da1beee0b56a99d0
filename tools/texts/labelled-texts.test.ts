import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LANGUAGE_CODES } from '@larder/text/language.ts';
import { expect, test } from 'vitest';
import { readLabelledTexts } from './labelled-texts.ts';

const FOLDER = fileURLToPath(new URL('../../training/texts/', import.meta.url));
const HEAD = 'set context text item any none kcal_low kcal_high grams_low grams_high note'.split(' ');

test('each language has labelled texts', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.tsv'));
  expect(files.sort()).toEqual([...LANGUAGE_CODES].sort().map((language) => `${language}.tsv`));
});

test.each([...LANGUAGE_CODES])('the labels of %s are well-formed', (language) => {
  const file = join(FOLDER, `${language}.tsv`);
  const [head, ...rows] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((row) => row.split('\t'));
  expect(head).toEqual(HEAD);
  const finished = new Map<string, string>();
  for (const [at, row] of rows.entries()) {
    const said = row.join(' | ');
    expect(row, said).toHaveLength(HEAD.length);
    const [set, context, text, item, any, none, ...numbers] = row as [
      string,
      string,
      string,
      string,
      string,
      string,
      ...string[],
    ];
    expect(set, said).toMatch(/^(fit|kept)$/);
    expect(context, said).toMatch(/^(recipe|meal)$/);
    expect(text, said).toBe(text.trim());
    expect(text, said).not.toBe('');
    // Rows of one text are consecutive and numbered from 1.
    const before = rows[at - 1];
    const isNext = before?.[2] === text;
    expect(Number(item), said).toBe(isNext ? Number(before![3]) + 1 : 1);
    if (isNext) expect([set, context], said).toEqual([before![0], before![1]]);
    else expect(finished.has(text), `${text} is labelled twice`).toBe(false);
    finished.set(text, set);
    const ranges = numbers.slice(0, 4).map(Number);
    expect(
      ranges.every((value) => Number.isFinite(value) && value >= 0 && value <= 100_000),
      said,
    ).toBe(true);
    const [energyLow, energyHigh, gramsLow, gramsHigh] = ranges as [number, number, number, number];
    expect(energyLow <= energyHigh && energyHigh <= 910, said).toBe(true);
    expect(gramsLow <= gramsHigh, said).toBe(true);
    const words = [any, none].map((field) => field.split('|').filter((word) => word !== ''));
    if (any === '') expect([none, ...ranges, item], said).toEqual(['', 0, 0, 0, 0, '1']);
    // An excluded word must not exclude all right names.
    for (const word of words[0]!) {
      expect(
        words[1]!.some((excluded) => word.toLowerCase().includes(excluded.toLowerCase())),
        `${said}: ${word}`,
      ).toBe(false);
    }
  }
  const read = readLabelledTexts(file);
  expect(read.map(({ text }) => text)).toEqual([...finished.keys()]);
  expect(read.flatMap(({ foods }) => foods)).toHaveLength(rows.filter((row) => row[4] !== '').length);
  for (const context of ['recipe', 'meal']) {
    const of = (set: string) => read.filter((each) => each.context === context && each.set === set).length;
    expect(of('fit')).toBeGreaterThan(of('kept'));
    expect(of('kept')).toBeGreaterThan(15);
  }
});
