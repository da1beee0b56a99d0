import type { TextLine } from '../../../src/scan/recognizers/label/text/text-line.ts';

/** The texts of one row, with their positions. */
export type Line = readonly (readonly [x: number, text: string])[];

/** A row of a table with a name and cells at equal distances; an empty cell could not be read. */
export function tableRow(name: string, ...cells: readonly string[]): Line {
  return [
    [0, name],
    ...cells.flatMap((text, column): Line => (text === '' ? [] : [[300 + 160 * column, text]])),
  ];
}

/** Text lines as recognized on a straight photo, one row below the other. */
export function textLines(...rows: readonly Line[]): TextLine[] {
  return rows.flatMap((row, index) =>
    row.map(([x, text]) => ({
      region: {
        centreX: x + text.length * 5,
        centreY: 30 * index,
        length: text.length * 10,
        height: 24,
        angle: 0,
      },
      characters: [...text].map((character, at) => ({
        character,
        at: (at + 0.5) / text.length,
        confidence: 0.9,
      })),
    })),
  );
}
