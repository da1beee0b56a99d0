import type { TextLine } from '../../../src/scan/recognizers/label/text/text-line.ts';
import type { LabelDrawing } from './label-svg.ts';

const SIZE = 22;
const WIDTH_OF_LETTER = 0.55;

/** The lines of a drawn label in the form of a text reader; `slip` may change each text. */
export function textOfDrawing(
  { prints }: LabelDrawing,
  slip: (text: string) => string = (text) => text,
): TextLine[] {
  return prints
    .filter(({ text }) => text !== '')
    .map(({ text: printed, x, y, size = SIZE, anchor = 'start' }) => {
      const text = slip(printed);
      const length = printed.length * size * WIDTH_OF_LETTER;
      const left = anchor === 'start' ? x : anchor === 'end' ? x - length : x - length / 2;
      return {
        region: { centreX: left + length / 2, centreY: y - size / 3, length, height: size * 1.4, angle: 0 },
        characters: [...text].map((character, index) => ({
          character,
          at: (index + 0.5) / text.length,
          confidence: 0.9,
        })),
      };
    });
}
