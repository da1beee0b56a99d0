import { fold } from '@larder/core/words/tokenise.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';
import { type MealWords, wordsOfAll } from '../../meal-words.ts';
import type { FoodNames } from '../food-names.ts';
import { stemOf, wordsOfName } from '../names/name-words.ts';
import { namesFood, type Phrase } from './phrase.ts';

const MIN_HEAD_WEIGHT = 0.5;
/** Names of carried foods: "Egg sandwich on biscuit" is not a biscuit. */
const CARRIED = / on /;
/** Words before the manner of preparation, which is not a part: "spaghetti alla carbonara", "pollo al curry". */
const MANNERS: ReadonlySet<string> = wordsOfAll(({ manners }) => manners);
const NONE: ReadonlySet<string> = new Set();

/** Rejects names that match phrases only by a part or an addition of the food. */
export class NamesOfParts {
  /** The head word of the first phrase. */
  readonly #dish: string | undefined;
  readonly #parts: ReadonlySet<string> | undefined;
  /** Stems before and after the first "with" or the like; the latter are empty if there is no addition. */
  readonly #said: ReadonlySet<string> = NONE;
  readonly #belonging: ReadonlySet<string> = NONE;
  readonly #head: string | undefined;

  constructor(span: readonly Phrase[], { parts, belonging }: MealWords) {
    this.#dish = span[0]!.words.findLast(({ weight }) => weight >= MIN_HEAD_WEIGHT)?.stem;
    this.#parts = span.some(({ isPart }) => isPart) ? parts : undefined;
    // The name for "cheese on a muffin" may be "muffin, cheese".
    const from = span.findIndex(({ link }, at) => at > 0 && link !== 'on' && belonging.has(link));
    const food = span.slice(0, Math.max(0, from));
    if (!food.some(namesFood) || MANNERS.has(span[from]!.link)) return;
    const words = food.flatMap((phrase) => phrase.words);
    this.#said = new Set(words.map(({ stem }) => stem));
    this.#head = words.findLast(({ weight }) => weight >= MIN_HEAD_WEIGHT)?.stem;
    this.#belonging = new Set(span.slice(from).flatMap((phrase) => phrase.words.map(({ stem }) => stem)));
  }

  /** Whether the text names a carrier or topping, perhaps with its own amount. */
  get areSaid(): boolean {
    return this.#parts !== undefined;
  }

  /**
   * Whether a name is that of a part: "hamburger bun" does not match "a hamburger on a bun", "barbecue sauce" not "ham
   * in barbecue sauce", "enchilada sauce" not "an enchilada with sauce". "Chicken and rice" matches "chicken with
   * rice".
   */
  has(name: string): boolean {
    if (this.#parts === undefined && this.#belonging.size === 0) return false;
    const words = wordsOfName(name);
    const stem = words.findLast(({ part }) => part === 0)?.stem;
    if (stem === undefined) return false;
    if (this.#parts?.has(stem) === true && this.#dish !== stem && !CARRIED.test(name)) return true;
    if (this.#said.has(stem) || !this.#belonging.has(stem)) return false;
    return words.every((word) => !this.#said.has(word.stem)) || wordBeforeHead(name) === this.#head;
  }
}

/** The word before the head: "enchilada" in "Enchilada sauce, red". */
function wordBeforeHead(name: string): string {
  const words = name.split(/[,;(:]/, 1)[0]!.match(/[\p{L}\p{M}'’]+/gu);
  return stemOf(fold(words?.at(-2) ?? ''));
}

/** The hits from the first one on that is not the name of a part alone. */
export function hitsOfDish(
  hits: readonly SearchHit[],
  span: readonly Phrase[],
  words: MealWords,
  names: FoodNames,
): readonly SearchHit[] {
  if (span.length === 1) return hits;
  const parts = new NamesOfParts(span, words);
  const first = hits.findIndex(({ document }) => !parts.has(names.foodAt(document).name));
  return first === -1 ? [] : hits.slice(first);
}
