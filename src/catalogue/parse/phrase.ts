import type { Amount } from '../../text/amounts.ts';
import { UNITS } from '../../text/units.ts';
import type { QueryWord } from '../food/food-names.ts';

export interface PhraseWord extends QueryWord {
  readonly stem: string;
  readonly weight: number;
  readonly token: number;
}

/** Words between two links, commas or amounts, with the amounts beside them. A food is one phrase or several. */
export interface Phrase {
  readonly words: PhraseWord[];
  readonly firstToken: number;
  readonly endToken: number;
  /** The amount before the words: "200 g", "two", "a". */
  readonly before?: Amount;
  /** After them: "water, 12 fl oz", "cola (330 ml)". */
  readonly after?: Amount;
  /** A food that began before cannot go on here. */
  readonly begins: boolean;
  /** It begins with an article only, so that it may tell of the food before: "a bar, a Clif Bar". */
  readonly mayGoOn: boolean;
  /** The link before the phrase: "and", "with", ",". */
  readonly link: string;
  /** It says what an amount of weight before it consists of: "200 g burrito with beans and sour cream". */
  readonly belongs: boolean;
}

/** Nouns whose size is not that of the food: "a thin crust pizza". */
export const SIZED_PARTS: ReadonlySet<string> = new Set(['crust', 'cut', 'grain', 'curd']);

/** Only an article: "a banana". */
export function isArticle({ article, unit }: Amount): boolean {
  return article === true && unit === undefined;
}

/** Whether a weight or volume is said. */
export function isMeasured({ unit, each, alternatives }: Amount): boolean {
  const kind = unit === undefined ? undefined : UNITS[unit].kind;
  return (
    kind === 'mass' ||
    kind === 'volume' ||
    (each !== undefined && isMeasured(each)) ||
    alternatives.some(isMeasured)
  );
}

const MIN_NAMED = 0.4;

/** Whether words of it may name a food. */
export function isNamed({ words }: Phrase): boolean {
  return words.some(({ weight }) => weight >= MIN_NAMED);
}

/** The amounts of a food: before its first phrase, and after its last. */
export function amountsOf(span: readonly Phrase[]): Amount[] {
  return [span[0]!.before, span.at(-1)!.after].filter((amount) => amount !== undefined);
}
