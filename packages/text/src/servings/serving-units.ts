import { LANGUAGE_CODES, type Language, languageOf } from '../language.ts';
import { Phrases } from '../phrases.ts';
import { type Token, tokenise } from '../tokens.ts';
import { UNITS } from '../units.ts';
import SERVED_FOODS from './served-foods.json' with { type: 'json' };

/** Words between a number and its unit that are skipped: "0.25 brittle slice", "2 large chocolate cookies". */
const MAX_SKIPPED_WORDS = 3;

export interface ServingUnit {
  /** A unit of the tables, such as `slice`, or a food that is counted, such as `cookie`. */
  readonly unit: string;
  /** The token after it. */
  readonly end: number;
}

const counted = new Map<string, Phrases<string>>();

/** The foods that a language counts in servings. */
function servedFoods({ code }: Language): Phrases<string> {
  let phrases = counted.get(code);
  if (phrases === undefined) {
    const entries = Object.entries(
      SERVED_FOODS as Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>,
    );
    phrases = new Phrases(
      entries.flatMap(([unit, words]) => (words[code] ?? []).map((word) => [word, unit] as const)),
    );
    counted.set(code, phrases);
  }
  return phrases;
}

/**
 * The unit that a number before `start` counts, in the same part of the text. Of several words the last one counts, "egg roll",
 * unless a measure or package precedes it, "1 cup cookies", or it follows an "of", "1/5 of pizza".
 */
export function servingUnitAt(
  tokens: readonly Token[],
  start: number,
  language: Language,
): ServingUnit | undefined {
  const of = language.of.at(tokens, start);
  let at = of?.end ?? start;
  let found: ServingUnit | undefined;
  for (let skipped = 0; skipped <= MAX_SKIPPED_WORDS && tokens[at]?.kind === 'word'; ) {
    const unit = unitAt(tokens, at, language);
    if (unit === undefined) {
      if (found !== undefined || language.of.has(tokens, at)) break;
      at++;
      skipped++;
      continue;
    }
    found = unit;
    at = unit.end;
    if (isHolder(unit.unit)) break;
  }
  return found;
}

function unitAt(tokens: readonly Token[], at: number, language: Language): ServingUnit | undefined {
  const food = servedFoods(language).at(tokens, at);
  const unit = language.units.at(tokens, at);
  const isFood = food !== undefined && food.end >= (unit?.end ?? 0);
  const found = isFood ? food : unit;
  return found && { unit: found.value, end: found.end };
}

/** Whether a unit measures or holds a food, which is then named after it. */
function isHolder(unit: string): boolean {
  const kind = Object.hasOwn(UNITS, unit) ? UNITS[unit as keyof typeof UNITS].kind : undefined;
  return kind !== undefined && kind !== 'count';
}

/** All units that a word or phrase may mean in any language, "Scheiben" as well as "slice". */
export function servingUnitsOf(text: string): ReadonlySet<string> {
  const tokens = tokenise(text);
  const units = new Set<string>();
  for (const code of LANGUAGE_CODES) {
    const language = languageOf(code);
    for (const found of [servedFoods(language).at(tokens, 0), language.units.at(tokens, 0)]) {
      if (found?.end === tokens.length) units.add(found.value);
    }
  }
  return units;
}
