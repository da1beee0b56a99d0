import { MIN_DEGREES } from '../../measure-reader.ts';
import type { Token } from '../../tokens.ts';
import type { Extent } from '../meal-item.ts';
import { isArticle, isMeasured } from '../phrases/phrase.ts';
import type { TextToRead } from './recipe-line.ts';

/** A clause about cooking, its time, the eaters, or the next part of a recipe. */
export interface Instruction extends Extent {
  /** Recognized by its time or temperature only: it may still name a food, as "boiled egg, 7 minutes". */
  readonly mayNameFood: boolean;
}

/** Maximum words of a heading. */
const MAX_HEADING = 5;
/** Scales of a temperature that is written without its sign: "180 C". */
const SCALE = /^[cf]$/;

/** Finds the clauses of a text that are no food: "makes 12", "bake at 180 C", "30 minutes", "Sauce:", "for the sauce". */
export function instructionsIn(read: TextToRead): Instruction[] {
  const found: Instruction[] = [];
  const { tokens } = read;
  for (let from = 0; from < tokens.length; ) {
    let to = from;
    while (to < tokens.length && !endsClause(tokens, to)) to++;
    const mayNameFood = to > from ? instructs(read, from, to) : undefined;
    if (mayNameFood !== undefined)
      found.push({ start: tokens[from]!.start, end: tokens[to - 1]!.end, mayNameFood });
    from = to + 1;
  }
  return found;
}

function endsClause(tokens: readonly Token[], at: number): boolean {
  const { kind, text } = tokens[at]!;
  return (
    kind === 'break' || text === ',' || text === ';' || (text === '.' && tokens[at + 1]?.joined !== true)
  );
}

/** Whether an instruction may name a food; undefined if the clause is no instruction. */
function instructs(read: TextToRead, from: number, to: number): boolean | undefined {
  const { tokens, amounts, language, words } = read;
  const own = amounts.filter(({ firstToken }) => firstToken >= from && firstToken < to);
  // "plus 1 tbsp for the pan" is more of the food before.
  const forMore =
    language.plus.has(tokens, from) &&
    tokens.slice(from, to).some((_, at) => language.headings.has(tokens, from + at));
  if (forMore) return false;
  if (own.some(isMeasured)) return undefined;
  if (language.instructions.has(tokens, from)) return false;
  const isWhole = from === 0 && to === tokens.length;
  const isCounted = own.some((amount) => !isArticle(amount));
  const tells = tokens.slice(from, to).some(({ folded }) => words.telling.has(folded));
  if (isWhole && !isCounted && !tells && to - from <= MAX_HEADING) {
    if (language.headings.has(tokens, from) || tokens[to - 1]!.text === ':') return false;
  }
  for (let at = from; at + 1 < to; at++) {
    const { kind, text } = tokens[at]!;
    if (kind !== 'number') continue;
    if (language.durations.has(tokens, at + 1)) return true;
    if (Number(text) >= MIN_DEGREES && SCALE.test(tokens[at + 1]!.folded)) return true;
  }
  return undefined;
}
