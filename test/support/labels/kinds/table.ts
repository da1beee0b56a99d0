import type { LabelDrawing, Print } from '../label-svg.ts';
import type { PrintedAmounts, PrintedFacts, Random } from '../printed-facts.ts';

export const LEFT = 24;
const ROW = 34;
const SIZE = 21;
const LETTER = 0.52;

export interface TableDrawing {
  readonly title: string;
  /** Texts between title and table. */
  readonly intro?: readonly string[];
  /** Lines of heads; each has a text for every column. */
  readonly heads: readonly (readonly string[])[];
  readonly rows: readonly (readonly [name: string, ...cells: string[]])[];
  /** Texts below. */
  readonly footer?: readonly string[];
  readonly nameWidth?: number;
  readonly columnWidth?: number;
  readonly align?: 'end' | 'start' | 'middle';
}

/** Draws a table of names and cells. */
export function drawTable({
  title,
  intro = [],
  heads,
  rows,
  footer = [],
  nameWidth = 330,
  columnWidth = 190,
  align = 'end',
}: TableDrawing): LabelDrawing {
  const count = Math.max(...rows.map((row) => row.length - 1));
  const width = Math.max(
    2 * LEFT + nameWidth + count * columnWidth,
    2 * LEFT + title.length * 26 * LETTER,
    ...[...intro, ...footer].map((text) => 2 * LEFT + text.length * 17 * LETTER * 1.15),
  );
  const xOf = (column: number) => {
    const left = LEFT + nameWidth + column * columnWidth;
    return align === 'end' ? left + columnWidth : align === 'start' ? left + 20 : left + columnWidth / 2;
  };
  const prints: Print[] = [{ text: title, x: LEFT, y: 48, size: 26, bold: true }];
  const rules = [{ y: 60, thickness: 3 }];
  let y = 58;
  for (const text of intro) {
    y += 28;
    prints.push({ text, x: LEFT, y, size: 18 });
  }
  for (const line of heads) {
    y += 28;
    for (const [column, text] of line.entries())
      prints.push({ text, x: xOf(column), y, size: 18, bold: true, anchor: align });
  }
  for (const [name, ...cells] of rows) {
    rules.push({ y: y + 9, thickness: 1 });
    y += ROW;
    prints.push({ text: name, x: LEFT, y, size: SIZE });
    for (const [column, text] of cells.entries())
      prints.push({ text, x: xOf(column), y, size: SIZE, anchor: align });
  }
  for (const text of footer) {
    y += 28;
    prints.push({ text, x: LEFT, y, size: 16 });
  }
  return { width: Math.ceil(width), height: y + 30, prints: prints.filter(({ text }) => text !== ''), rules };
}

/** Draws running text, broken into lines of at most `letters`. */
export function drawText(title: string, parts: readonly string[], letters: number): LabelDrawing {
  const lines: string[] = [title];
  for (const word of parts.join(' ').split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > letters) lines.push(word);
    else lines[lines.length - 1] += ` ${word}`;
  }
  const prints = lines.map((text, index) => ({ text, x: LEFT, y: 44 + index * 31, size: 20 }));
  return {
    width: Math.ceil(letters * 20 * 0.56) + 2 * LEFT,
    height: 60 + lines.length * 31,
    prints,
    rules: [],
  };
}

/** The values of a column, per 100. */
export function valuesOf(
  { kcal, fat, saturatedFat, carbohydrates, sugars, fiber, protein }: PrintedAmounts,
  scale = 1,
): Record<string, number> {
  const all = { energy: kcal, fat, saturatedFat, carbohydrates, sugars, fiber, protein };
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [key, value * scale]));
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.min(items.length - 1, Math.floor(random() * items.length))]!;
}

/** A number as printed: with a comma in languages that use one. */
export function written(value: number, language: string, digits = 1): string {
  const text = value.toFixed(digits);
  return language === 'en' ? text : text.replace('.', ',');
}

/** Facts per serving of US labels as rows: name, amount, % daily value. */
export function usRows({ perServing }: PrintedFacts): readonly (readonly [string, string, string])[] {
  const { fat, saturatedFat, cholesterol, sodium, carbohydrates, fiber, sugars, protein } = perServing;
  const percent = (share: number) => `${Math.round(100 * share)}%`;
  return [
    ['Total Fat', `${fat}g`, percent(fat / 78)],
    ['Saturated Fat', `${saturatedFat}g`, percent(saturatedFat / 20)],
    ['Trans Fat', '0g', ''],
    ['Cholesterol', `${cholesterol}mg`, percent(cholesterol / 300)],
    ['Sodium', `${sodium}mg`, percent(sodium / 2300)],
    ['Total Carbohydrate', `${carbohydrates}g`, percent(carbohydrates / 275)],
    ['Dietary Fiber', `${fiber}g`, percent(fiber / 28)],
    ['Total Sugars', `${sugars}g`, ''],
    ['Protein', `${protein}g`, ''],
  ];
}
