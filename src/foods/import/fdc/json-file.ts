import { OperatorError } from '@larder/core/errors.ts';
import type { RawFoodSink } from '../normalise/raw-food.ts';
import { JsonElements } from '../readers/json-elements.ts';
import type { ReadOptions } from '../readers/source-file.ts';
import { asUtf8 } from '../readers/utf8.ts';
import type { BundleFile } from './bundle.ts';
import { isFoodList, jsonFood } from './food.ts';
import { NOT_KEPT } from './nutrients.ts';

/** The largest foods, with all their samples, have some hundred kB. */
const MAX_FOOD_MIB = 16;
const EXAMPLE_CHARS = 120;

export interface JsonFile {
  readonly file: BundleFile;
  /** The path, for messages. */
  readonly path: string;
  readonly sink: RawFoodSink;
  readonly options: ReadOptions;
}

/**
 * Reads the JSON form of FoodData Central, food by food. Each list element reaches the sink once. Throws an
 * `OperatorError` at the end if the file is incomplete or has no such list.
 */
export async function readJsonFile({ file, path, sink, options }: JsonFile): Promise<void> {
  let count = 0;
  const broken = (reason: string, bytes: Buffer) =>
    sink.broken(`${file.name}, food ${count}`, reason, bytes.toString('utf8', 0, EXAMPLE_CHARS));
  const elements = new JsonElements({
    isWanted: isFoodList,
    maxElementBytes: MAX_FOOD_MIB * 1024 * 1024,
    onTooLarge: (start) => {
      count++;
      broken(`a food of more than ${MAX_FOOD_MIB} MiB`, start);
    },
    onElement: (bytes, list) => {
      count++;
      const value = parse(bytes);
      if (value === undefined) return broken('no valid JSON', bytes);
      const notice = (nutrient: number) =>
        sink.noticed(NOT_KEPT, `nutrient ${nutrient} of ${file.name}, food ${count}`);
      const result = jsonFood(value, list, sink.takesFacts ? notice : undefined);
      if (result.kind === 'food') sink.food(result.food);
      else sink.skipped(result.reason, bytes.toString('utf8', 0, EXAMPLE_CHARS));
    },
  });
  for await (const chunk of asUtf8(file.name, file.read(options), sink)) elements.push(chunk);
  if (!elements.isWhole) {
    throw new OperatorError(
      `${path} ends in the middle of a food: its copy or download is incomplete. Get it again.`,
    );
  }
  if (elements.listCount === 0) {
    throw new OperatorError(
      `${path} holds no list of foods (FoundationFoods, SRLegacyFoods, SurveyFoods, BrandedFoods). ` +
        'Is it a JSON download of FoodData Central?',
    );
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
