import type { TextLine } from '../../../src/scan/recognizers/label/text/text-line.ts';

/** The texts of one row, with their positions. */
export type Line = readonly (readonly [x: number, text: string])[];

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
