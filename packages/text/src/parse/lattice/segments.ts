import type { Steps } from '@larder/search/index/steps.ts';
import type { Amount } from '../../amount.ts';
import { AmountsAt } from '../../find-amounts.ts';
import { NEGATIONS, SHORT_WITH, wordsOfAll } from '../../meal-words.ts';
import { wordOfNumberedName } from '../../numbers.ts';
import { endsSentence, isMealLetter, type Token } from '../../tokens.ts';
import type { FoodNames } from '../food-names.ts';
import { isEmptyWord, stemOf } from '../names/name-words.ts';
import { traitOfWord } from '../names/traits.ts';
import { isArticle, sizeIsOfName } from '../phrases/phrase.ts';
import type { TextToRead } from '../structure/recipe-line.ts';
import type { LatticeFeatures } from './features.ts';
import { DESCRIBING, type FoodSpan, FoodSpans } from './food-spans.ts';

/** Label of a span of tokens. */
export type Label =
  | 'food'
  | 'part'
  | 'before'
  | 'after'
  | 'qualifier'
  | 'separator'
  | 'break'
  | 'and'
  | 'with'
  | 'of'
  | 'remark'
  | 'negated'
  | 'heading'
  | 'unknown';

/** A part of a text that may be read in one way. */
export interface Segment {
  readonly label: Label;
  readonly from: number;
  readonly to: number;
  readonly features: LatticeFeatures;
  readonly amount?: Amount;
  readonly food?: FoodSpan;
  /** The remark may connect foods, too: "in". */
  readonly isLink?: true;
  /** The words name a part of the next food: "yolk of". */
  readonly isPart?: true;
}

const MAX_UNKNOWN_WORDS = 4;
const MAX_NEGATED_WORDS = 3;
const MAX_HEADING_WORDS = 3;
/** Tokens of an amount within which no other one begins. */
const LONG_AMOUNT = 8;
const MAX_REMARK_WORDS = 5;
const MAX_QUALITY_WORDS = 7;
/** Minimum score of a word that is a food by itself. */
const WHOLE_NAME = 0.95;
const NO_FEATURES: LatticeFeatures = {};
const SHORT_WITHOUT = wordsOfAll(({ shortWithout }) => shortWithout);
const OF = { label: 'of', features: NO_FEATURES } as const;

/** The segments of a text by their first token. Each token begins one of them, so that a derivation always exists. */
export function* segmentsOf(read: TextToRead): Steps<readonly (readonly Segment[])[]> {
  const reader = new SegmentReader(read);
  const all: (readonly Segment[])[] = [];
  for (let at = 0; at < read.tokens.length; at++) {
    all.push(reader.at(at));
    if (reader.isDue || at % TOKENS_A_STEP === TOKENS_A_STEP - 1) yield;
  }
  return all;
}

/** Look-ups and tokens per step. */
const LOOK_UPS_A_STEP = 30;
const TOKENS_A_STEP = 40;

class SegmentReader {
  readonly #read: TextToRead;
  readonly #tokens: readonly Token[];
  readonly #names: FoodNames;
  readonly #foods: FoodSpans;
  readonly #amounts: AmountsAt;
  #made = 0;
  #isAfterWith = false;
  #longAmountEnd = 0;

  constructor(read: TextToRead) {
    this.#read = read;
    this.#tokens = read.tokens;
    this.#names = read.names;
    this.#foods = new FoodSpans(read, read.names, read.budget);
    this.#amounts = new AmountsAt(read.tokens, read.language);
  }

  get isDue(): boolean {
    if (this.#foods.made - this.#made < LOOK_UPS_A_STEP) return false;
    this.#made = this.#foods.made;
    return true;
  }

  at(at: number): readonly Segment[] {
    const { kind } = this.#tokens[at]!;
    if (kind === 'break') return [{ label: 'break', from: at, to: at + 1, features: NO_FEATURES }];
    const part = this.#endOfParts(at);
    if (part !== undefined)
      return [{ label: 'qualifier', from: at, to: part, features: { qualifier: 1 }, isPart: true }];
    const segments: Segment[] = [...this.#amountsAt(at)];
    const counted = segments.find(({ label }) => label === 'after');
    // The sign of "tea x4 milk" counts the food before it.
    if (counted !== undefined && this.#isSign(at))
      return [
        counted,
        { label: 'remark', from: at, to: counted.to, features: { remark: 1, orphanAmount: 1 } },
      ];
    this.#isAfterWith ||= this.#read.words.belonging.has(this.#tokens[at]!.folded);
    let isFood = false;
    for (const food of this.#foods.from(at)) {
      isFood ||= food.to === at + 1 && food.features.fit! >= WHOLE_NAME;
      const own = { from: at, to: food.to, features: food.features, food };
      segments.push({ label: 'food', ...own });
      if (this.#isAfterWith) segments.push({ label: 'part', ...own });
    }
    if (kind === 'symbol') segments.push(this.#symbolAt(at));
    else if (kind !== 'number') segments.push(...this.#wordsAt(at, isFood));
    else if (segments.length === 0) segments.push(this.#numberAt(at));
    return segments;
  }

  #amountsAt(at: number): Segment[] {
    // Within a long amount no other begins, so that the work stays proportional to the text.
    if (at < this.#longAmountEnd) return [];
    return this.#amounts.at(at).flatMap(({ amount: said, isShortened, isBare, isDivided }) => {
      const amount = this.#withoutSizeOfName(said);
      const features: LatticeFeatures = {};
      if (isShortened) features.shortened = 1;
      if (isDivided) features.divided = 1;
      if (isBare) features.bareUnit = 1;
      if (amount.endToken - at > LONG_AMOUNT) this.#longAmountEnd = amount.endToken;
      const range = { from: at, to: amount.endToken, amount };
      const before: Segment = { label: 'before', ...range, features: { ...features, before: 1 } };
      // "birra media" states a size, not a half.
      const isFigure =
        amount.unit !== undefined || /\d|[¼-¾⅐-⅞]/.test(this.#tokens[amount.endToken - 1]!.text);
      if (isArticle(amount) || !isFigure || isShortened) return [before];
      const after = { label: 'after', ...range, features: { ...features, after: 1 } } as Segment;
      return [before, after];
    });
  }

  /** Whether a token is the sign of a number after a word that may name a food. */
  #isSign(at: number): boolean {
    const before = this.#tokens[at - 1];
    return (
      /^[x×]$/i.test(this.#tokens[at]!.text) &&
      before?.kind === 'word' &&
      !this.#read.words.links.has(before.folded)
    );
  }

  /** Leaves out a size that begins a name: "two big macs". */
  #withoutSizeOfName(amount: Amount): Amount {
    const { size, ...others } = amount;
    if (size === undefined || amount.unit !== undefined || !sizeIsOfName(amount, this.#tokens, this.#names))
      return amount;
    const endToken = amount.endToken - 1;
    return { ...others, endToken, end: this.#tokens[endToken - 1]!.end };
  }

  #symbolAt(at: number): Segment {
    const { text } = this.#tokens[at]!;
    const range = { from: at, to: at + 1, features: NO_FEATURES };
    if (/^[&+]$/.test(text)) return { label: 'and', ...range };
    if (/^[;•·|*▪►→]$/u.test(text) || endsSentence(this.#tokens, at)) return { label: 'break', ...range };
    if (/^[,()[\]:/–—-]$/u.test(text) && !(text === '-' && this.#tokens[at]!.joined))
      return { label: 'separator', ...range };
    return { label: 'remark', ...range };
  }

  /** A number that is no amount, such as that of "0 %", "7 grain bread" or "7:30". */
  #numberAt(at: number): Segment {
    const qualified = this.#tokens[at + 1]?.text === '%' ? at + 2 : at + 1;
    if (
      qualified > at + 1 ||
      wordOfNumberedName(this.#tokens, at, qualified, this.#read.language) !== undefined
    )
      return { label: 'qualifier', from: at, to: qualified, features: { qualifier: 1 } };
    const other = this.#read.language.otherUnits.at(this.#tokens, at + 1);
    return { label: 'remark', from: at, to: other?.end ?? at + 1, features: { remark: 1 } };
  }

  #wordsAt(at: number, isFood: boolean): Segment[] {
    const { folded } = this.#tokens[at]!;
    const { language, words } = this.#read;
    const short = this.#shortLinkAt(at);
    if (short !== undefined) return short;
    if (NEGATIONS.has(folded)) {
      const negated = this.#negatedAt(at, at + 1);
      if (negated.length > 0) return negated;
    }
    const segments: Segment[] = [];
    const one = { from: at, to: at + 1 };
    const described = this.#endOfDescription(at);
    // "im eigenen Saft" names no juice.
    if (described !== undefined && described > at + 1 && words.links.has(folded))
      return [{ label: 'qualifier', from: at, to: described, features: { qualifier: 1 } }];
    const and = language.and.at(this.#tokens, at)?.end ?? language.or.at(this.#tokens, at)?.end;
    if (language.of.has(this.#tokens, at)) segments.push({ ...OF, ...one });
    if (and !== undefined || words.listing.has(folded) || words.separating.has(folded)) {
      const label = words.belonging.has(folded) ? 'with' : 'and';
      segments.push({ label, from: at, to: and ?? at + 1, features: NO_FEATURES });
    } else if (words.belonging.has(folded)) segments.push({ label: 'with', ...one, features: NO_FEATURES });
    const filler = this.#endOfFiller(at);
    if (filler !== undefined)
      segments.push({
        ...{ label: 'remark', from: at, to: filler, features: { remark: 1 } },
        ...(words.belonging.has(folded) && { isLink: true }),
      });
    if (words.notFoods.has(folded)) segments.push(...this.#remarksAt(at));
    if (words.belonging.has(folded)) segments.push(...this.#qualityAt(at));
    if (described !== undefined)
      segments.push({ label: 'qualifier', from: at, to: described, features: { qualifier: 1 } });
    const isSmall = filler !== undefined || segments.some(({ label }) => label !== 'qualifier');
    const isNumber = language.cardinals.has(this.#tokens, at);
    if (!isSmall && !isNumber && described === undefined && !this.#foods.areJuxtaposed)
      segments.push(this.#freeAt(at, isFood));
    if (this.#begins(at)) segments.push(...this.#headingsAt(at));
    if (segments.length === 0 || !isSmall) segments.push(...this.#unknownAt(at));
    return segments;
  }

  /** The end of "juice and grated zest of", "Saft", "il succo e la scorza di" before the amount of their food. */
  #endOfParts(at: number): number | undefined {
    const { parts, and, of, articles } = this.#read.language;
    let end = parts.at(this.#tokens, at)?.end;
    for (let next = end; next !== undefined; next = end) {
      const other = and.at(this.#tokens, next)?.end ?? Number.POSITIVE_INFINITY;
      const part = parts.at(this.#tokens, other) ?? parts.at(this.#tokens, other + 1);
      if (part === undefined) break;
      end = part.end;
    }
    if (end === undefined) return undefined;
    const after = of.at(this.#tokens, end)?.end ?? end;
    const { fractions, cardinals } = this.#read.language;
    const isCounted =
      this.#tokens[after]?.kind === 'number' ||
      [fractions, cardinals].some((numbers) => numbers.has(this.#tokens, after));
    return (isCounted && after > end) || articles.has(this.#tokens, after) ? after : undefined;
  }

  #begins(at: number): boolean {
    const before = this.#tokens[at - 1];
    if (isMealLetter(this.#tokens[at], this.#tokens[at + 1])) return true;
    return before === undefined || before.kind === 'break' || /^[;•.]$/.test(before.text);
  }

  #freeAt(at: number, isFood: boolean): Segment {
    const stem = stemOf(this.#tokens[at]!.folded);
    const features: LatticeFeatures = { freeQualifier: 1 };
    if (isFood) features.qualifierFood = 1;
    else if (this.#names.isFoodWord(stem)) features.qualifierKnownFood = 1;
    if (at > 0 && this.#read.language.of.has(this.#tokens, at - 1)) features.qualifierAfterOf = 1;
    return { label: 'qualifier', from: at, to: at + 1, features };
  }

  #endOfFiller(at: number): number | undefined {
    const { words, language } = this.#read;
    const { folded } = this.#tokens[at]!;
    if (language.of.has(this.#tokens, at) || words.listing.has(folded)) return undefined;
    const known = [words.fillers, words.further, words.telling, words.subjects, words.pronouns];
    if (known.some((set) => set.has(folded)) || isEmptyWord(folded)) return at + 1;
    if (words.belonging.has(folded)) return undefined;
    return [
      language.connectors,
      language.about,
      language.each,
      language.leading,
      language.optional,
      language.afterNames,
      language.others,
    ]
      .map((list) => list.at(this.#tokens, at)?.end)
      .find((end) => end !== undefined);
  }

  #endOfDescription(at: number): number | undefined {
    const { words, language } = this.#read;
    const { folded } = this.#tokens[at]!;
    for (const list of DESCRIBING) {
      const end = list === 'units' ? undefined : language[list].at(this.#tokens, at)?.end;
      if (end !== undefined) return end;
    }
    const describes =
      words.weak.has(folded) ||
      traitOfWord(folded) !== 0 ||
      (language.participle?.test(folded) === true && !this.#names.isFoodWord(stemOf(folded)));
    return describes ? at + 1 : undefined;
  }

  /** Connectors of one letter: "latte w oat milk", "w/ cheddar", "café c/ leite", "tea w/o sugar", "s/ sal". */
  #shortLinkAt(at: number): Segment[] | undefined {
    const [{ folded, text }, next, last] = this.#tokens.slice(at, at + 3) as [Token, Token?, Token?];
    if (text.length !== 1 || next === undefined) return undefined;
    const hasSlash = next.text === '/' && next.joined;
    if (hasSlash && last?.joined === true && SHORT_WITHOUT.has(`${folded}/${last.folded}`))
      return this.#negatedAt(at, at + 3);
    const short = hasSlash ? `${folded}/` : folded;
    if (SHORT_WITHOUT.has(short)) return this.#negatedAt(at, at + 2);
    if (
      !(hasSlash ? SHORT_WITH : this.#read.words.shortWith).has(short) ||
      (!hasSlash && (next.kind !== 'word' || next.joined))
    )
      return undefined;
    return [{ label: 'with', from: at, to: hasSlash ? at + 2 : at + 1, features: NO_FEATURES }];
  }

  /** "without sugar", "ohne Zucker": names no food. `first` is the token after the negation. */
  #negatedAt(at: number, first: number): Segment[] {
    const segments: Segment[] = [];
    for (let to = first + 1; to <= first + MAX_NEGATED_WORDS; to++) {
      if (this.#tokens[to - 1]?.kind !== 'word') break;
      segments.push({ label: 'negated', from: at, to, features: { negatedWord: to - first } });
    }
    return segments;
  }

  /** "from panda express": says where, when or why. */
  #remarksAt(at: number): Segment[] {
    const segments: Segment[] = [];
    for (let to = at + 2; to <= at + 1 + MAX_REMARK_WORDS; to++) {
      const { kind, folded } = this.#tokens[to - 1] ?? { kind: 'break' };
      if (kind !== 'word' || this.#read.words.links.has(folded!)) break;
      segments.push({ label: 'remark', from: at, to, features: { remark: 1, remarkWord: to - at - 1 } });
    }
    return segments;
  }

  /** "with a sweet and sour taste": names no food. */
  #qualityAt(at: number): Segment[] {
    for (let to = at + 2; to <= at + MAX_QUALITY_WORDS; to++) {
      const { kind, folded } = this.#tokens[to - 1] ?? { kind: 'break', folded: '' };
      if (kind !== 'word') break;
      if (this.#read.words.qualities.has(folded))
        return [{ label: 'remark', from: at, to, features: { remark: 1 } }];
    }
    return [];
  }

  /** "Lunch:", "For the sauce:". */
  #headingsAt(at: number): Segment[] {
    for (let to = at + 1; to <= at + MAX_HEADING_WORDS; to++) {
      if (this.#tokens[to]?.text === ':') {
        const features: LatticeFeatures = { heading: 1 };
        if (to > at + 1) features.headingWord = to - at - 1;
        const stem = stemOf(this.#tokens[to - 1]!.folded);
        if (this.#names.isFoodWord(stem) && !this.#read.words.composed.has(stem)) features.headingKnown = 1;
        return [{ label: 'heading', from: at, to: to + 1, features }];
      }
      if (this.#tokens[to]?.kind !== 'word') break;
    }
    return [];
  }

  #unknownAt(at: number): Segment[] {
    const segments: Segment[] = [];
    let known = 0;
    for (let to = at + 1; to <= at + MAX_UNKNOWN_WORDS; to++) {
      const token = this.#tokens[to - 1];
      if (token?.kind !== 'word') break;
      if (this.#names.isFoodWord(stemOf(token.folded))) known++;
      if (this.#read.words.links.has(token.folded) && to > at + 1) continue;
      const features: LatticeFeatures = { unknown: 1 };
      if (to > at + 1) features.unknownWord = to - at - 1;
      if (known > 0) features.unknownKnown = known;
      segments.push({ label: 'unknown', from: at, to, features });
    }
    return segments;
  }
}
