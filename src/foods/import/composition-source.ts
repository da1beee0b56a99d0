import { OperatorError } from '@larder/core/errors.ts';
import { type CompositionOrigin, compositionFood } from './composition-food.ts';
import { readCompositionTable } from './composition-table.ts';
import type { RawFoodSink } from './normalise/raw-food.ts';
import { JsonElements } from './readers/json-elements.ts';
import { type ReadOptions, readSourceFile, type SourceFile } from './readers/source-file.ts';
import { asUtf8 } from './readers/utf8.ts';

const MAX_FOOD_MIB = 1;
const EXAMPLE_CHARS = 120;

/**
 * Reads a composition table: the published one saved as CSV, or a JSON list of foods. Throws an `OperatorError` for
 * other content or an incomplete file.
 */
export async function readCompositionFile(
  file: SourceFile,
  origin: CompositionOrigin,
  sink: RawFoodSink,
  options: ReadOptions = {},
): Promise<void> {
  if (file.content === 'text') return readCompositionTable(file, origin, sink, options);
  if (file.content === 'zip') {
    throw new OperatorError(`${file.path} is an Excel file. Save its sheet as CSV (UTF-8), and import that.`);
  }
  if (file.content === 'empty') throw new OperatorError(`${file.path} is empty. Get it again.`);
  let count = 0;
  const example = (bytes: Buffer) => bytes.toString('utf8', 0, EXAMPLE_CHARS);
  const elements = new JsonElements({
    isWanted: () => false,
    maxElementBytes: MAX_FOOD_MIB * 1024 * 1024,
    onTooLarge: (start) => {
      sink.broken(`${file.name}, food ${++count}`, `a food of more than ${MAX_FOOD_MIB} MiB`, example(start));
    },
    onElement: (bytes) => {
      count++;
      try {
        const food = compositionFood(JSON.parse(bytes.toString('utf8')), origin);
        if (food !== undefined) sink.food(food);
        else sink.skipped('no name', example(bytes));
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        sink.broken(`${file.name}, food ${count}`, 'no valid JSON', example(bytes));
      }
    },
  });
  for await (const chunk of asUtf8(
    file.name,
    readSourceFile(file, options.onBytesRead, options.signal),
    sink,
  ))
    elements.push(chunk);
  if (elements.listCount === 0) {
    throw new OperatorError(`${file.path} is not a composition table: a JSON list of foods was expected.`);
  }
  if (!elements.isWhole) {
    throw new OperatorError(
      `${file.path} ends in the middle of the list: its copy or download is incomplete. Get it again.`,
    );
  }
}
