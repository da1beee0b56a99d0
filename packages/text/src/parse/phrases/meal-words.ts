import { fold } from '@larder/core/words/tokenise.ts';
import type { LanguageCode } from '../../language.ts';
import DE from '../../meals/de.json' with { type: 'json' };
import EN from '../../meals/en.json' with { type: 'json' };
import ES from '../../meals/es.json' with { type: 'json' };
import FR from '../../meals/fr.json' with { type: 'json' };
import IT from '../../meals/it.json' with { type: 'json' };
import PT from '../../meals/pt.json' with { type: 'json' };

/** How people tell of meals in one language: words beside the names of foods. */
export interface MealWords {
  /** Tell that the text is of a meal and no line of a recipe: "I", "lunch". */
  readonly telling: ReadonlySet<string>;
  /** Begin a clause of their own: "I", "we". */
  readonly subjects: ReadonlySet<string>;
  /** Name no food, whatever foods have them in their names: "delicious", "for lunch", "I had". */
  readonly fillers: ReadonlySet<string>;
  /** Fillers that name a food after other words: "soft drink", "frozen meal". */
  readonly nouns: ReadonlySet<string>;
  /** Connect foods, or a food with what belongs to it: "and", "with". */
  readonly links: ReadonlySet<string>;
  /** Links between foods that are listed: "and", "with". */
  readonly listing: ReadonlySet<string>;
  /** Words before a further portion: "another". */
  readonly further: ReadonlySet<string>;
  /** Links after which another food begins: "while", "alongside". */
  readonly separating: ReadonlySet<string>;
  /** Links after which a phrase tells where, when or why: "from", "during". */
  readonly notFoods: ReadonlySet<string>;
  /** Links after which a phrase tells what the food before consists of: "with", "in". */
  readonly belonging: ReadonlySet<string>;
  /** Foods that are carried by a bun or bread: "burger". Stems. */
  readonly dishes: ReadonlySet<string>;
  /** Other foods that are filled or topped: "burrito". Stems. */
  readonly filled: ReadonlySet<string>;
  /** Foods that are named after what is in them: "ham and cheese sandwich". Stems. */
  readonly mixed: ReadonlySet<string>;
  /** What carries them or lies on them: "bun", "patty". Stems. */
  readonly parts: ReadonlySet<string>;
  /** Foods that carry others too, and may name them: "sausage biscuit". Stems. */
  readonly carriers: ReadonlySet<string>;
  /** Before a link, they begin a list of what the food before consists of: "made with". */
  readonly composing: ReadonlySet<string>;
  /** The same after dishes; after containers, of what they contain: "filled with". */
  readonly filling: ReadonlySet<string>;
  /** Kinds of foods, which name one again after words that point at it: "this fruit". Stems. */
  readonly kinds: ReadonlySet<string>;
  readonly pointing: ReadonlySet<string>;
  /** Links to a clause that tells more of the food before: "which". */
  readonly retelling: ReadonlySet<string>;
  /** Verbs of such clauses that tell what the food has: "which has". */
  readonly having: ReadonlySet<string>;
  /** Stand for foods named before, in front of a link to another one: "washed it down with". */
  readonly pronouns: ReadonlySet<string>;
  /** Words before the weight of all that was named: "weighing". */
  readonly weighing: ReadonlySet<string>;
  /** Before "with", they name what stands beside the food: "along with". */
  readonly pairing: ReadonlySet<string>;
  /** After an amount: it is that of each food that follows. */
  readonly each: ReadonlySet<string>;
  /** Say little about which food it is: "plain", "cooked". */
  readonly weak: ReadonlySet<string>;
  /** What one tastes, feels or wants; whatever is said of it is no food: "taste", "choice". */
  readonly qualities: ReadonlySet<string>;
  /** Of words that tell how a food was made and name none: "boiled". */
  readonly participles: readonly string[];
  /** Of words that name no food unless a food has them in its name: "incredibly". */
  readonly endings: readonly string[];
  /** Pairs of which the first word tells the second: "(fast) food restaurant". */
  readonly implied: ReadonlySet<string>;
  /** All nouns have a capital, so that it marks no proper names. */
  readonly capitalNouns: boolean;
}

function toMealWords(
  table: Readonly<Record<Exclude<keyof MealWords, 'capitalNouns'>, readonly string[]>>,
  { capitalNouns = false } = {},
): MealWords {
  const set = (words: readonly string[]) => new Set(words.map(fold));
  return {
    telling: set(table.telling),
    subjects: set(table.subjects),
    fillers: set(table.fillers),
    nouns: set(table.nouns),
    links: set(table.links),
    listing: set(table.listing),
    further: set(table.further),
    separating: set(table.separating),
    notFoods: set(table.notFoods),
    belonging: set(table.belonging),
    dishes: set(table.dishes),
    filled: set(table.filled),
    mixed: set(table.mixed),
    parts: set(table.parts),
    carriers: set(table.carriers),
    composing: set(table.composing),
    filling: set(table.filling),
    kinds: set(table.kinds),
    pointing: set(table.pointing),
    retelling: set(table.retelling),
    having: set(table.having),
    pronouns: set(table.pronouns),
    weighing: set(table.weighing),
    pairing: set(table.pairing),
    each: set(table.each),
    weak: set(table.weak),
    implied: set(table.implied),
    qualities: set(table.qualities),
    endings: table.endings,
    participles: table.participles,
    capitalNouns,
  };
}

const MEAL_WORDS: Readonly<Record<LanguageCode, MealWords>> = {
  en: toMealWords(EN),
  de: toMealWords(DE, { capitalNouns: true }),
  fr: toMealWords(FR),
  es: toMealWords(ES),
  it: toMealWords(IT),
  pt: toMealWords(PT),
};

export function mealWordsOf(code: LanguageCode): MealWords {
  return MEAL_WORDS[code];
}
