import { readFileSync } from 'node:fs';
import { fold } from '@larder/core/words/tokenise.ts';

/** A food in a text, as a nutritionist would log it. */
export interface LabelledFood {
  /** The food's name must have one of these; if empty, the text names no food. */
  readonly any: readonly string[];
  /** The food's name must have none of these. */
  readonly none: readonly string[];
  /** In kcal per 100 g or ml. */
  readonly energy: readonly [number, number];
  /** Both 0: the text states no amount, and any is right. */
  readonly grams: readonly [number, number];
  /** The food may be absent: the water of a powder. */
  readonly isOptional?: true;
  /** The food may be part of another one, by index, if that has one of these words in its name. */
  readonly partOf?: { readonly food: number; readonly words: readonly string[] };
}

export interface LabelledText {
  readonly text: string;
  readonly context: 'recipe' | 'meal' | undefined;
  readonly language: string | undefined;
  /** `fit` or `kept`; undefined if the file has no sets. */
  readonly set: string | undefined;
  readonly foods: readonly LabelledFood[];
  /** The note of the first row. */
  readonly note: string;
}

/** Reads a table of labelled texts: one row for each food, with column names in the first row. */
export function readLabelledTexts(file: string): LabelledText[] {
  const [head, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const columns = head!.split('\t');
  const texts = new Map<string, LabelledText & { foods: LabelledFood[] }>();
  for (const row of rows) {
    const fields = row.split('\t');
    const field = (name: string) => fields[columns.indexOf(name)] ?? '';
    const number = (...names: string[]) => Number(names.map(field).find((value) => value !== '') ?? 0);
    const text = field('text') || field('line');
    const key = `${text}\t${field('n')}`;
    if (!texts.has(key)) {
      texts.set(key, {
        text,
        context: columns.includes('context') ? (field('context') as 'recipe' | 'meal') : contextOf(columns),
        language: /(?:^|\/)([a-z]{2})\.tsv$/.exec(file)?.[1] ?? (field('lang').slice(0, 2) || undefined),
        set: columns.includes('set') ? field('set') : undefined,
        foods: [],
        note: field('note'),
      });
    }
    const any = wordsOf(field('any'));
    if (any.length === 0) continue;
    texts.get(key)!.foods.push({
      any,
      none: wordsOf(field('none')),
      energy: [number('kcal_low', 'kcal100_low'), number('kcal_high', 'kcal100_high')],
      grams: [number('grams_low'), number('grams_high')],
      ...readNote(field('note')),
    });
  }
  return [...texts.values()];
}

/** Tables of meals state a language; those of recipe lines do not. */
function contextOf(columns: readonly string[]): 'recipe' | undefined {
  return columns.includes('lang') ? undefined : 'recipe';
}

/** Reads `opt` and `in:K=words`, which a note may hold. */
function readNote(note: string): Pick<LabelledFood, 'isOptional' | 'partOf'> {
  const part = /\bin:(\d+)=(\S.*)$/.exec(note);
  return {
    ...(/\bopt\b/.test(note) && { isOptional: true as const }),
    ...(part !== null && { partOf: { food: Number(part[1]) - 1, words: wordsOf(part[2]!) } }),
  };
}

function wordsOf(field: string): string[] {
  return field.split('|').filter((word) => word !== '' && word !== '-');
}

type NamedFood = { readonly name: string; readonly per100: { readonly energy: number } };

export function isRightFood(food: NamedFood, label: LabelledFood): boolean {
  return isRightKind(food, label) && isRightEnergy(food, label);
}

/** Compares without accents, and "Strawberries" as "strawberry". */
export function isRightKind({ name }: NamedFood, { any, none }: LabelledFood): boolean {
  const said = fold(name);
  const singular = said.replace(/ies\b/g, 'y');
  const has = (words: readonly string[]) =>
    words.map(fold).some((word) => said.includes(word) || singular.includes(word));
  return has(any) && !has(none);
}

export function isRightEnergy({ per100 }: NamedFood, { energy }: LabelledFood): boolean {
  return isWithin(per100.energy, energy);
}

export function isRightAmount(grams: number | undefined, { grams: range }: LabelledFood): boolean {
  return grams !== undefined && (range[1] === 0 || isWithin(grams, range));
}

function isWithin(value: number, [low, high]: readonly [number, number]): boolean {
  return value >= low && value <= high;
}

/** What is right of a food, as bits; `WHOLE` is kind, energy and grams. */
export const KIND = 1;
export const ENERGY = 2;
export const GRAMS = 4;
export const WHOLE: number = KIND + ENERGY + GRAMS;

export interface MatchedFoods {
  /** For each label the index of its item; absent without one. */
  readonly itemOf: ReadonlyMap<number, number>;
  /** What is right, by label and by item; 0 without a partner. */
  readonly byLabel: readonly number[];
  readonly byItem: readonly number[];
}

interface WeighedItem {
  readonly food?: NamedFood | null | undefined;
  readonly basisAmount?: number | undefined;
}

/** Gives each labelled food the item that fits it best; an item answers one label. */
export function matchedFoods(items: readonly WeighedItem[], foods: readonly LabelledFood[]): MatchedFoods {
  const pairs = foods
    .flatMap((food, at) => items.map((item, index) => ({ at, index, fit: fitOf(item, food) })))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit || a.at - b.at || a.index - b.index);
  const itemOf = new Map<number, number>();
  const [byLabel, byItem] = [foods.map(() => 0), items.map(() => 0)];
  for (const { at, index, fit } of pairs) {
    if (itemOf.has(at) || byItem[index] !== 0) continue;
    itemOf.set(at, index);
    byLabel[at] = fit;
    byItem[index] = fit;
  }
  return { itemOf, byLabel, byItem };
}

function fitOf({ food, basisAmount }: WeighedItem, label: LabelledFood): number {
  if (food == null || !isRightKind(food, label)) return 0;
  return KIND + (isRightEnergy(food, label) ? ENERGY : 0) + (isRightAmount(basisAmount, label) ? GRAMS : 0);
}
