import { fold } from '@larder/core/words/tokenise.ts';
import { LANGUAGE_CODES, type LanguageCode } from './language.ts';
import DE from './meals/de.json' with { type: 'json' };
import EN from './meals/en.json' with { type: 'json' };
import ES from './meals/es.json' with { type: 'json' };
import FR from './meals/fr.json' with { type: 'json' };
import IT from './meals/it.json' with { type: 'json' };
import NL from './meals/nl.json' with { type: 'json' };
import PL from './meals/pl.json' with { type: 'json' };
import PT from './meals/pt.json' with { type: 'json' };

/** Words of meal descriptions in one language, besides the names of foods. */
export interface MealWords {
  /** Words that show a meal instead of a line of a recipe: "I", "lunch". */
  readonly telling: ReadonlySet<string>;
  /** Words that begin a clause: "I", "we". */
  readonly subjects: ReadonlySet<string>;
  /** Words that name no food, even if names of foods contain them: "delicious", "for lunch", "I had". */
  readonly fillers: ReadonlySet<string>;
  /** Fillers that name a food only after other words: "soft drink", "frozen meal". */
  readonly nouns: ReadonlySet<string>;
  /** Words that connect foods, or a food with its additions: "and", "with". */
  readonly links: ReadonlySet<string>;
  /** Words before what a food lacks: "without"; others that negate: "no", "not". */
  readonly without: ReadonlySet<string>;
  readonly negations: ReadonlySet<string>;
  /** Short forms of "with" and "without": "w/", "s/". */
  readonly shortWith: ReadonlySet<string>;
  readonly shortWithout: ReadonlySet<string>;
  /** Links between foods that are listed: "and", "with". */
  readonly listing: ReadonlySet<string>;
  /** Words before another portion: "another". */
  readonly further: ReadonlySet<string>;
  /** Links after which another food begins: "while", "alongside". */
  readonly separating: ReadonlySet<string>;
  /** Links before a phrase that says where, when or why: "from", "during". */
  readonly notFoods: ReadonlySet<string>;
  /** Links before a phrase that says what the preceding food contains: "with", "in". */
  readonly belonging: ReadonlySet<string>;
  /** Links after which a food with its own amount carries the preceding one: "egg on 2 slices of toast". */
  readonly carrying: ReadonlySet<string>;
  /** Stems of foods that are carried by a bun or bread: "burger". */
  readonly dishes: ReadonlySet<string>;
  /** Stems of other foods that are filled or topped: "burrito". */
  readonly filled: ReadonlySet<string>;
  /** Stems of foods named after their fillings: "ham and cheese sandwich". */
  readonly mixed: ReadonlySet<string>;
  /** Stems of foods whose weight includes the foods after a link: "250 g lasagna with meat and cheese". */
  readonly composed: ReadonlySet<string>;
  /** Stems of dishes that people describe by their ingredients: "porridge of 40 g oats". */
  readonly prepared: ReadonlySet<string>;
  /** Words after such a dish and before "with" or "of": "made with". */
  readonly made: ReadonlySet<string>;
  /** Words between such a dish and the amount of its ingredient. */
  readonly madeOf: ReadonlySet<string>;
  /** Stems of carriers and toppings: "bun", "patty". */
  readonly parts: ReadonlySet<string>;
  /** Stems of foods that also carry others, and may name them: "sausage biscuit". */
  readonly carriers: ReadonlySet<string>;
  /** Counted parts at the end of compounds, without accents: "zehen" of "Knoblauchzehen". */
  readonly pieces: ReadonlySet<string>;
  /** Words before the manner of preparation, which is no part: "alla carbonara". */
  readonly manners: ReadonlySet<string>;
  /** Words between a food and what it is made of or with, in names: "huile de noix". */
  readonly particles: ReadonlySet<string>;
  /** Words that, before a link, begin a list of a food's components: "made with". */
  readonly composing: ReadonlySet<string>;
  /** Words that do the same after dishes, and begin the content after containers: "filled with". */
  readonly filling: ReadonlySet<string>;
  /** Words that, before a link, say what a food is mixed with during preparation: "beaten with 1 tbsp water". */
  readonly mixing: ReadonlySet<string>;
  /** Stems of kinds of foods, which refer to a food after pointing words: "this fruit". */
  readonly kinds: ReadonlySet<string>;
  readonly pointing: ReadonlySet<string>;
  /** Links to a clause about the preceding food: "which". */
  readonly retelling: ReadonlySet<string>;
  /** Verbs of such clauses about the contents of the food: "which has". */
  readonly having: ReadonlySet<string>;
  /** Words that, before a link to another food, refer to foods named before: "washed it down with". */
  readonly pronouns: ReadonlySet<string>;
  /** Words before the weight of everything named: "weighing". */
  readonly weighing: ReadonlySet<string>;
  /** Words that, before "with", introduce food beside the dish: "along with". */
  readonly pairing: ReadonlySet<string>;
  /** Words after an amount that applies to each following food. */
  readonly each: ReadonlySet<string>;
  /** Words that hardly distinguish foods: "plain", "cooked". */
  readonly weak: ReadonlySet<string>;
  /** Nouns for tastes, feelings or wishes; a phrase with one of them is not a food: "taste", "choice". */
  readonly qualities: ReadonlySet<string>;
  /** Endings of words for preparations, which are not foods: "boiled". */
  readonly participles: readonly string[];
  /** Endings of words that are not foods unless they occur in a food's name: "incredibly". */
  readonly endings: readonly string[];
  /**
   * Stems of heads that name a food only together with the preceding word: "ginger oil" is not olive oil, "skate wing" not a chicken
   * wing.
   */
  readonly dependent: ReadonlySet<string>;
  /** Stems of nouns for parts and shapes after the name of their food: "mint leaves", "lasagne sheets", "walnut halves". */
  readonly partNouns: ReadonlySet<string>;
  /** Pairs in which the first word implies the second: "(fast) food restaurant". */
  readonly implied: ReadonlySet<string>;
  /** The language capitalises all nouns, so that a capital does not indicate a proper name. */
  readonly capitalNouns: boolean;
}

type MealTable = Readonly<Record<Exclude<keyof MealWords, 'capitalNouns'>, readonly string[]>>;

function toMealWords(table: MealTable, { capitalNouns = false } = {}): MealWords {
  const sets = Object.entries(table).map(([name, words]) => [name, new Set(words.map(fold))]);
  const { endings, participles } = table;
  return { ...(Object.fromEntries(sets) as MealWords), endings, participles, capitalNouns };
}

const MEAL_WORDS: Readonly<Record<LanguageCode, MealWords>> = {
  en: toMealWords(EN),
  de: toMealWords(DE, { capitalNouns: true }),
  fr: toMealWords(FR),
  es: toMealWords(ES),
  it: toMealWords(IT),
  pt: toMealWords(PT),
  nl: toMealWords(NL),
  pl: toMealWords(PL),
};

export function mealWordsOf(code: LanguageCode): MealWords {
  return MEAL_WORDS[code];
}

/** Words of all languages, for names of foods and for texts whose language is unknown. */
export function wordsOfAll(of: (words: MealWords) => Iterable<string>): ReadonlySet<string> {
  return new Set(LANGUAGE_CODES.flatMap((code) => [...of(MEAL_WORDS[code])]));
}

/** Words that name an absent ingredient, in any language. */
export const NEGATIONS: ReadonlySet<string> = wordsOfAll(({ without, negations }) => [
  ...without,
  ...negations,
]);

/** Short forms of "with" in any language. */
export const SHORT_WITH: ReadonlySet<string> = wordsOfAll(({ shortWith }) => shortWith);
