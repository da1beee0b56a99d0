import type { Amount } from '../../amount.ts';
import { type Token, tokenise } from '../../tokens.ts';
import type { FoodNames, NameMatch } from '../food-names.ts';
import type { TextOfMeal } from '../meal-item.ts';
import { type NameHit, NameLookUps } from '../name-look-ups.ts';
import { isEmptyWord, stemOf } from '../names/name-words.ts';
import { popularityIn } from '../names/traits.ts';
import { juxtaposedFoods } from '../phrases/juxtaposed-foods.ts';
import { hitsOfDish } from '../phrases/names-of-parts.ts';
import type { Phrase, PhraseWord } from '../phrases/phrase.ts';
import { isNaming, toQuery } from '../phrases/phrase.ts';
import { PhraseReader } from '../phrases/phrase-reader.ts';
import { FILLER_WEIGHT } from '../phrases/word-weights.ts';
import type { ReadingBudget } from '../reading-budget.ts';
import type { TextToRead } from '../structure/recipe-line.ts';
import type { LatticeFeatures } from './features.ts';

/** Maximum words and tokens of a name in a text. */
const MAX_WORDS = 6;
const MAX_TOKENS = 12;
const MAX_REMARK_TOKENS = 4;
/** Minimum score of a name, and of one that takes in a connector: "mac and cheese". */
const MIN_SCORE = 0.4;
const MIN_LINKED_SCORE = 0.9;
/** Minimum score of a name of one of two foods with a connector between them. */
const MIN_ALONE = 0.9;
const MAX_LOST = 1;
const MAX_FOREIGN = 3;
const MAX_POPULARITY = 255;
/** Scale of the value of a name: its words' weights times its score. */
const GAIN_SCALE = 5;
const SURE_LIKENESS = 0.9;

/** Words of a text that may name a food. */
export interface FoodSpan {
  readonly from: number;
  readonly to: number;
  readonly words: readonly PhraseWord[];
  readonly phrases: readonly Phrase[];
  readonly hits: readonly NameHit[];
  readonly features: LatticeFeatures;
}

/** Symbols within names: "7-up", "m&m's", "2 % milk", "tuna, canned in oil". */
const IN_NAMES = /^[-‐%&'’"!,]$/;

/** Finds the spans of a text that are names of foods. */
export class FoodSpans {
  readonly #text: TextOfMeal;
  readonly #tokens: readonly Token[];
  readonly #names: FoodNames;
  readonly #lookUps: NameLookUps;
  readonly #boundaries: ReadonlySet<number>;
  readonly #spans = new Map<number, FoodSpan>();

  constructor(text: TextOfMeal & Pick<TextToRead, 'amounts'>, names: FoodNames, budget: ReadingBudget) {
    this.#text = text;
    this.#tokens = text.tokens;
    this.#names = names;
    this.#lookUps = new NameLookUps(names, budget);
    this.#boundaries = this.#juxtaposed(text.amounts);
  }

  /** The first tokens of foods that no separator divides: "chicken rice broccoli", "3 pancakes maple syrup bacon". */
  #juxtaposed(amounts: readonly Amount[]): ReadonlySet<number> {
    const { words, isList } = this.#text;
    const [amount] = amounts;
    const isCount = amount?.firstToken === 0 && amount.unit === undefined && amount.size === undefined;
    const first = isCount ? amount.endToken : 0;
    const tokens = this.#tokens.slice(first);
    const isPlain = ({ kind, folded }: Token) => kind === 'word' && !words.links.has(folded);
    if (!isList || tokens.length > MAX_TOKENS || !tokens.every(isPlain)) return new Set();
    const [phrase, ...others] = new PhraseReader({ ...this.#text, tokens }, this.#names).read([]);
    if (phrase === undefined || others.length > 0) return new Set();
    const scoreOf = (each: Phrase) => this.#lookUps.find(toQuery([each]))[0]?.score ?? 0;
    const foods = juxtaposedFoods(phrase, { ...this.#text, tokens }, scoreOf);
    return new Set(foods.length > 1 ? foods.map(({ firstToken }) => firstToken + first) : []);
  }

  /** Whether the whole text names foods without separators, and nothing else. */
  get areJuxtaposed(): boolean {
    return this.#boundaries.size > 1;
  }

  get made(): number {
    return this.#lookUps.made;
  }

  /** The spans that begin at a token. */
  from(at: number): FoodSpan[] {
    const spans: FoodSpan[] = [];
    if (!this.#mayEdge(at)) return spans;
    let words = 0;
    /** The token of a connector in the span. */
    let link: number | undefined;
    for (let end = at; this.#goesOn(end, at) && words < MAX_WORDS; end++) {
      const after = words > 0 ? this.#afterRemark(end) : undefined;
      if (after !== undefined) end = after;
      const { kind, text } = this.#tokens[end]!;
      if (text === '&' || this.#isLink(end)) link ??= end;
      if (kind === 'word') words++;
      if (text === '%' || (kind === 'word' && this.#mayEdge(end))) {
        if (this.#lookUps.isUsedUp) break;
        const span = this.#spanOf(at, end + 1, link);
        if (span !== undefined) spans.push(span);
      }
    }
    return spans;
  }

  /** Whether a name that begins at a token may go on at another one. */
  #goesOn(end: number, at: number): boolean {
    const token = this.#tokens[end];
    if (token === undefined || end >= at + MAX_TOKENS || token.kind === 'break') return false;
    if (end > at && this.#boundaries.has(end)) return false;
    if (token.text === '(') return this.#afterRemark(end) !== undefined;
    // A dash between spaces divides foods: "eggs - toast".
    if (token.kind === 'symbol') return IN_NAMES.test(token.text) && (token.text !== '-' || token.joined);
    return token.kind !== 'number' || end === at || this.#tokens[end + 1]?.text === '%';
  }

  /** The end of a remark within a name: "reduced fat (2%) milk". */
  #afterRemark(at: number): number | undefined {
    if (this.#tokens[at]!.text !== '(') return undefined;
    for (let end = at + 1; end <= at + MAX_REMARK_TOKENS; end++) {
      const { text = ',', kind = 'break' } = this.#tokens[end] ?? {};
      if (text === ',' || kind === 'break') return undefined;
      if (text === ')') return this.#mayEdge(end + 1) ? end + 1 : undefined;
      if (kind === 'number' && this.#tokens[end + 1]?.text !== '%') return undefined;
    }
    return undefined;
  }

  /** Whether a name may begin or end with a word. */
  #mayEdge(at: number): boolean {
    const { kind, folded } = this.#tokens[at] ?? {};
    if (kind === undefined || folded === undefined) return false;
    if (kind === 'number') return this.#tokens[at + 1]?.text === '%';
    return kind === 'word' && !isEmptyWord(folded) && !this.#isLink(at);
  }

  #isLink(at: number): boolean {
    const { folded } = this.#tokens[at]!;
    return this.#text.words.links.has(folded) || this.#text.words.listing.has(folded);
  }

  #spanOf(from: number, to: number, link: number | undefined): FoodSpan | undefined {
    const linked = link !== undefined;
    const tokens = this.#tokens.slice(from, to);
    const read = new PhraseReader({ ...this.#text, tokens }, this.#names).read([]);
    const phrases = read.map((phrase) => ({
      ...phrase,
      words: phrase.words.map((word) => ({ ...word, token: word.token + from })),
      firstToken: phrase.firstToken + from,
      endToken: phrase.endToken + from,
    }));
    if (phrases.length === 0) return undefined;
    const hasComma = tokens.some(({ text }) => text === ',');
    const words = toQuery(phrases, linked || hasComma ? phrases.length - 1 : 0);
    if (words.every(({ stem }) => stem.endsWith('%') || this.#names.likenessOf(stem) === 0)) return undefined;
    const found = hitsOfDish(this.#lookUps.find(words), phrases, this.#text.words, this.#names);
    const hits = hasComma ? this.#writtenSo(found, from, to) : this.#meant(found, words);
    const best: NameHit | undefined = hits[0];
    if (best === undefined || best.score < (linked ? MIN_LINKED_SCORE : MIN_SCORE)) return undefined;
    const match = this.#names.matchOf(best.words ?? words, best.document);
    if (
      match === undefined ||
      match.lost.filter(({ weight }) => weight > FILLER_WEIGHT).length > (linked ? 0 : MAX_LOST)
    )
      return undefined;
    const isUnit = this.#beginsWithUnit(from);
    if (match.lost.length > 0 && isUnit) return undefined;
    if (linked && match.foreign + match.later > 0) return undefined;
    const features = this.#featuresOf(words, best, match);
    if (isUnit) features.beginsWithUnit = 1;
    const isPair = linked && !this.#text.words.mixed.has(words.at(-1)!.stem);
    if (isPair && this.#isFood(from, link) && this.#isFood(link + 1, to)) {
      if (!this.#isLinkedName(best.document, from, to)) return undefined;
      features.linkedFoods = 1;
    }
    const span = { from, to, words, phrases, hits, features };
    this.#spans.set(from * this.#tokens.length + to, span);
    return span;
  }

  /** All foods; for small words those that have one in a name: "some" is no misspelt "somen". */
  #meant(hits: readonly NameHit[], words: readonly PhraseWord[]): readonly NameHit[] {
    if (!words.every(({ token }) => this.#isSmallWord(token))) return hits;
    return hits.filter(({ document }) => {
      const { name, aliases } = this.#names.foodAt(document);
      const named = new Set([name, ...aliases].flatMap((each) => tokenise(each).map(({ folded }) => folded)));
      return words.some(({ token }) => named.has(this.#tokens[token]!.folded));
    });
  }

  /** The foods with a name of just these words, where each comma precedes a description: "tuna, canned in oil". */
  #writtenSo(hits: readonly NameHit[], from: number, to: number): readonly NameHit[] {
    const own = this.#tokens.slice(from, to);
    if (own.some(({ text }, at) => text === ',' && !this.#describes(from + at + 1))) return [];
    const wordsOf = (tokens: readonly Token[]) =>
      tokens
        .flatMap(({ kind, folded }) => (kind === 'word' ? [folded] : []))
        .toSorted()
        .join(' ');
    const said = wordsOf(own);
    return hits.filter(({ document }) => {
      const { name, aliases } = this.#names.foodAt(document);
      return [name, ...aliases].some((each) => wordsOf(tokenise(each)) === said);
    });
  }

  /** Whether words between two tokens are a name by themselves. */
  #isFood(from: number, to: number): boolean {
    let start = from;
    while (start < to && !this.#mayEdge(start)) start++;
    const known =
      this.#spans.get(start * this.#tokens.length + to) ??
      (start < to && start > from - 1 ? this.#spanOf(start, to, undefined) : undefined);
    return known !== undefined && known.features.fit! >= MIN_ALONE;
  }

  /** Whether a name of a food has these words in this order with a connector, as "Mac and cheese", unlike "Cheese crackers". */
  #isLinkedName(document: number, from: number, to: number): boolean {
    const { name, aliases } = this.#names.foodAt(document);
    const isLink = ({ folded, text }: Token) =>
      text === '&' || this.#text.words.links.has(folded) || this.#text.words.listing.has(folded);
    const said = this.#tokens
      .slice(from, to)
      .filter((token) => token.kind === 'word' && !isLink(token))
      .map(({ folded }) => stemOf(folded));
    return [name, ...aliases].some((each) => {
      const tokens = tokenise(each);
      const named = tokens.filter((token) => token.kind === 'word' && !isLink(token));
      let last = -1;
      for (const stem of said) {
        last = named.findIndex(({ folded }, at) => at > last && stemOf(folded) === stem);
        if (last < 0) return false;
      }
      return tokens.some(isLink);
    });
  }

  #beginsWithUnit(at: number): boolean {
    const { units, of } = this.#text.language;
    const unit = units.at(this.#tokens, at);
    return unit !== undefined && of.has(this.#tokens, unit.end);
  }

  #featuresOf(words: readonly PhraseWord[], best: NameHit, match: NameMatch): LatticeFeatures {
    const features: LatticeFeatures = { food: 1 };
    const weight = words.reduce((sum, word) => sum + word.weight * this.#names.weightOf(word.stem), 0);
    features.gain = (weight * (Math.min(1, best.score) - MIN_SCORE)) / GAIN_SCALE;
    features.fit = best.score;
    const naming = words.filter(isNaming);
    if (naming.length > 1) features.foodWords = naming.length - 1;
    const scattered = words.length - 1 - match.adjacent - match.lost.length;
    if (scattered > 0) features.scattered = scattered;
    const isWhole = match.foreign + match.later === 0 && match.lost.length === 0;
    if (isWhole) features.exact = 1;
    if (match.head === 'absent') features.headAbsent = 1;
    if (!match.hasKind) features.otherKind = 1;
    if (match.lost.length > 0) features.lost = match.lost.length;
    const lostFoods = match.lost.filter(({ stem }) => this.#names.isFoodWord(stem)).length;
    if (lostFoods > 0) features.lostFood = lostFoods;
    if (match.foreign > 0) features.foreign = Math.min(MAX_FOREIGN, match.foreign);
    if (match.language === 'second') features.secondLanguage = 1;
    if (match.language === 'other') features.otherLanguage = 1;
    features.popularity = popularityIn(this.#names.factsOf(best.document)) / MAX_POPULARITY;
    let [misspelt, inflected] = [0, 0];
    for (const { stem } of naming) {
      const likeness = this.#names.likenessOf(stem);
      if (likeness > 0 && likeness < SURE_LIKENESS) misspelt++;
      else if (likeness < 1) inflected++;
    }
    if (misspelt > 0) features.misspelt = misspelt;
    if (inflected > 0) features.inflected = inflected;
    if (naming.every(({ token }) => this.#describes(token))) features.describesOnly = 1;
    return features;
  }

  /** Whether a word of the language says nothing about food: "some", "about". */
  #isSmallWord(at: number): boolean {
    const { words, language } = this.#text;
    const lists = [language.vague, language.leading, language.connectors, language.praise];
    return words.fillers.has(this.#tokens[at]!.folded) || lists.some((list) => list.has(this.#tokens, at));
  }

  /** Whether a word describes foods rather than names one. */
  #describes(at: number): boolean {
    const { words, language } = this.#text;
    const { folded } = this.#tokens[at]!;
    if (words.weak.has(folded) || words.fillers.has(folded) || words.qualities.has(folded)) return true;
    return DESCRIBING.some((list) => language[list].has(this.#tokens, at));
  }
}

/** Lists of words that describe foods. */
export const DESCRIBING = [
  'descriptors',
  'preparations',
  'adverbs',
  'qualifiers',
  'praise',
  'sizes',
  'preserved',
  'leading',
  'units',
] as const;
