import type { Amount } from '@larder/text/find-amounts.ts';
import { readIngredientLine } from '@larder/text/ingredient-line.ts';
import { type LanguageCode, languageOf } from '@larder/text/language.ts';
import type { ReadLine } from './parse-line-figures.ts';

interface LineReader {
  readonly name: string;
  readonly read: (line: string) => ReadLine;
}

/** The used part of other parsers, which are no dependencies of the project. */
interface OtherParsers {
  readonly 'parse-ingredient': {
    parseIngredient(line: string): readonly {
      readonly quantity: number | null;
      readonly unitOfMeasureID: string | null;
      readonly unitOfMeasure: string | null;
      readonly description: string;
    }[];
  };
  readonly '@jlucaspains/sharp-recipe-parser': {
    parseIngredient(
      line: string,
      language: string,
    ):
      | {
          readonly minQuantity: number;
          readonly unit: string;
          readonly ingredient: string;
          readonly alternativeQuantities: readonly { readonly unit: string }[];
        }
      | null
      | undefined;
  };
  readonly 'recipe-ingredient-parser-v3': {
    parse(
      line: string,
      language: string,
    ): { readonly minQty: number; readonly unit: string | null; readonly ingredient: string };
  };
}

const INSTALL =
  'npm install --no-save parse-ingredient@3.0.0 @jlucaspains/sharp-recipe-parser@2.1.0 recipe-ingredient-parser-v3@1.5.0';

/** Our reader, then each other installed parser; prints which are missing. */
export async function lineReaders(): Promise<LineReader[]> {
  const readers: LineReader[] = [{ name: 'larder', read: (line) => readWithLarder(line, 'en') }];
  await add('parse-ingredient', ({ parseIngredient }) => (line) => {
    const { quantity, unitOfMeasureID, unitOfMeasure, description } = parseIngredient(line)[0]!;
    return readLine(quantity, unitOfMeasureID ?? unitOfMeasure, description.split(',')[0]!);
  });
  await add('@jlucaspains/sharp-recipe-parser', ({ parseIngredient }) => (line) => {
    const read = parseIngredient(line, 'en');
    const first = readLine(read?.minQuantity ?? null, read?.unit ?? null, read?.ingredient ?? '');
    return { ...first, otherUnits: read?.alternativeQuantities.map(({ unit }) => unit) ?? [] };
  });
  await add('recipe-ingredient-parser-v3', ({ parse }) => (line) => {
    const { minQty, unit, ingredient } = parse(line, 'eng');
    return readLine(minQty, unit === 'q.b.' ? null : unit, ingredient.split(',')[0]!);
  });
  return readers;

  async function add<N extends keyof OtherParsers>(
    name: N,
    reader: (parser: OtherParsers[N]) => (line: string) => ReadLine,
  ): Promise<void> {
    try {
      readers.push({ name, read: quiet(reader((await import(name)) as OtherParsers[N])) });
    } catch {
      console.log(`left out: ${name} is not installed: ${INSTALL}`);
    }
  }
}

/** A parser that throws read nothing. */
function quiet(read: (line: string) => ReadLine): (line: string) => ReadLine {
  return (line) => {
    try {
      return read(line);
    } catch {
      return { name: '' };
    }
  };
}

function readLine(quantity: number | null, unit: string | null, name: string): ReadLine {
  if ((quantity ?? 0) === 0 && !unit) return { name };
  return { name, amount: { quantity: quantity || 1, ...(unit && { unit }) } };
}

export function readWithLarder(line: string, language: LanguageCode): ReadLine {
  const { amount, name } = readIngredientLine(line, languageOf(language));
  return {
    name: name.text,
    ...(amount !== undefined && {
      amount: short(amount),
      all: everyAmount(amount),
      otherUnits: [amount.each, ...amount.alternatives].flatMap((other) => other?.unit ?? []),
    }),
  };
}

const short = ({ quantity, unit }: Amount) => ({ quantity, ...(unit !== undefined && { unit }) });

function everyAmount(amount: Amount): { quantities: number[]; units: string[] } {
  const inner = [amount.each, amount.plus, ...amount.alternatives]
    .filter((part) => part !== undefined)
    .map(everyAmount);
  return {
    quantities: [amount.quantity, ...(amount.by ?? []), ...inner.flatMap(({ quantities }) => quantities)],
    units: [amount.unit, amount.container, ...inner.flatMap(({ units }) => units)].filter(
      (unit) => unit !== undefined,
    ),
  };
}
