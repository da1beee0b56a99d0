import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { type Food, type FoodId, toFoodId } from '@larder/core/food.ts';
import { InnerProjection } from './inner-projection.ts';
import { type ModelDescription, parseDescription } from './model-description.ts';

/** The meaning of one output of the network. */
export interface ClassifierLabel {
  readonly label: string;
  /** The training data set. */
  readonly set: string;
  /** Absent for labels that are not food. */
  readonly food?: {
    readonly foodId: FoodId;
    readonly grams: { readonly typical: number; readonly low: number; readonly high: number };
  };
}

export interface ClassifierFolder {
  readonly description: ModelDescription;
  /** Labels in the order of the outputs. */
  readonly labels: readonly ClassifierLabel[];
  readonly network: Buffer;
  /** Absent for a network of which nothing is kept. */
  readonly projection?: InnerProjection;
}

const LABEL_COLUMNS = ['index', 'label', 'set', 'food', 'typical', 'low', 'high'];

/**
 * Reads and checks a folder whose labels refer to `foods`. Throws an `OperatorError` that names the file and the
 * error.
 */
export async function readClassifierFolder(dir: string, foods: Iterable<Food>): Promise<ClassifierFolder> {
  const path = join(dir, 'model.json');
  const description = parseDescription(path, (await read(path)).toString());
  const table = await readChecked(dir, description.labels);
  const ids = new Set(Array.from(foods, ({ id }) => id));
  const labels = parseLabels(join(dir, description.labels.file), table.toString(), description, ids);
  if (labels.length !== description.output.classes) {
    throw new OperatorError(
      `${dir} has ${labels.length} labels, but model.json speaks of ${description.output.classes} classes.`,
    );
  }
  const { memory } = description;
  return {
    description,
    labels,
    network: await readChecked(dir, description.network),
    ...(memory && {
      projection: new InnerProjection(
        join(dir, memory.projection.file),
        await readChecked(dir, memory.projection),
        memory,
      ),
    }),
  };
}

/** Every label needs a food; otherwise photos of it would have no result. */
function parseLabels(
  path: string,
  content: string,
  { notFood }: Pick<ModelDescription, 'notFood'>,
  foods: ReadonlySet<FoodId>,
): ClassifierLabel[] {
  const [head, ...lines] = content.split(/\r?\n/).filter((line) => line !== '');
  if (head !== LABEL_COLUMNS.join('\t')) {
    throw new OperatorError(`${path} has to begin with the columns ${LABEL_COLUMNS.join(', ')}.`);
  }
  return lines.map((line, row) => {
    const [index, label = '', set = '', food = '', ...amounts] = line.split('\t');
    const [typical, low, high] = amounts.map(Number) as [number, number, number];
    const bad = (what: string) => new OperatorError(`${path}, line ${row + 2}: ${what}.`);
    if (index !== String(row)) throw bad(`the index has to be ${row}`);
    if (label === '') throw bad('there is no label');
    const isFood = food !== '';
    if (isFood === (row === notFood?.index))
      throw bad('there has to be a food, but for notFood of model.json');
    if (!isFood) return { label, set };
    const foodId = toFoodId('starter', food);
    if (!foods.has(foodId)) throw bad(`no food that ships has the id ${food}`);
    if (!(0 < low && low <= typical && typical <= high && high < Infinity)) {
      throw bad('low, typical and high are not in order');
    }
    return { label, set, food: { foodId, grams: { typical, low, high } } };
  });
}

async function readChecked(dir: string, { file, sha256 }: { file: string; sha256: string }): Promise<Buffer> {
  const path = join(dir, file);
  const bytes = await read(path);
  if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
  throw new OperatorError(`${path} is not the file that model.json describes: its SHA-256 differs.`);
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new OperatorError(
      `${path} cannot be read. LARDER_DISH_MODEL has to name a folder as docs/dish-model.md describes it.`,
      { cause },
    );
  }
}
