import { MAX_LINES_LENGTH, type TextItem } from '@larder/text/parse/read-text.ts';
import {
  type ItemOptions,
  isResolved,
  type ResolvedItem,
  readItems,
  type UnresolvedItem,
  unresolvedAmong,
} from './read-items.ts';
import type { DiaryOwner } from './records/entry.ts';
import { invalidField } from './records/invalid-field.ts';

/** The read lines of a recipe, by their index among its ingredients. */
export interface ReadLines {
  readonly resolved: ReadonlyMap<number, readonly ResolvedItem[]>;
  readonly unresolved: readonly UnresolvedItem[];
}

/** Matches lines that name no ingredient: an empty line, or a heading such as "For the sauce:". */
const IS_HEADING = /(?:^|:)\s*$/;

/** Reads the lines of text among `ingredients` and skips the others. */
export async function readLines(
  ingredients: readonly unknown[],
  owner: DiaryOwner,
  options: ItemOptions & { readonly lang?: string | undefined },
): Promise<ReadLines> {
  const lines = [...ingredients.entries()].filter(
    (each): each is [number, string] => typeof each[1] === 'string' && !IS_HEADING.test(each[1]),
  );
  const resolved = new Map<number, ResolvedItem[]>();
  if (lines.length === 0) return { resolved, unresolved: [] };
  const texts = lines.map(([, text]) => text);
  if (texts.reduce((sum, { length }) => sum + length, 0) > MAX_LINES_LENGTH) throw tooLong();
  const { items: read } = await readItems(texts, owner, { ...options, context: 'recipe' });
  const named = new Set(read.map(({ line }) => line));
  const items = [...read, ...texts.flatMap((text, line) => (named.has(line) ? [] : [nothingIn(text, line)]))];
  for (const item of items.filter(isResolved)) {
    const [index] = lines[item.line!]!;
    resolved.set(index, [...(resolved.get(index) ?? []), item]);
  }
  const unresolved = (await unresolvedAmong(items, owner, options)).map(({ line, ...item }) => {
    const [index, text] = lines[line!]!;
    return { ...item, index, text };
  });
  return { resolved, unresolved: unresolved.sort((a, b) => a.index - b.index) };
}

/** The unresolved item of a line without words. */
function nothingIn(text: string, line: number): TextItem {
  return {
    text,
    start: 0,
    end: text.length,
    line,
    quantity: null,
    unit: null,
    grams: null,
    food: null,
    alternatives: [],
    confidence: 0,
    assumed: [],
    unresolved: 'food',
  };
}

function tooLong() {
  return invalidField(
    'ingredients',
    `The lines of "ingredients" have more than ${MAX_LINES_LENGTH} characters together.`,
    { max: MAX_LINES_LENGTH },
  );
}
