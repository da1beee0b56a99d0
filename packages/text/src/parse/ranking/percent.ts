import type { Nutrients } from '@larder/core/nutrients.ts';
import { type FattyKind, LANGUAGE_CODES, type Language, TABLES } from '../../language.ts';
import { fold, type Token } from '../../tokens.ts';

/** A share that a text states for a food: "3.5 % fat", "93 % lean", "70 % cocoa". */
export interface StatedPercent {
  readonly value: number;
  readonly of: 'fat' | 'lean' | 'cocoa';
  /** Refers to the dry matter, as cheese is labelled in parts of Europe. */
  readonly isOfDryMatter: boolean;
}

const PERCENT =
  /(\d{1,3}(?:[.,]\d{1,2})?)\s?%\s*(?:de\s+|di\s+)?(fat|fett|f\.? ?i\.? ?tr|i\.? ?tr|mg|mat[iè]eres? grasses?|m\.? ?g|grasa|materia grasa|grass[io]|gordura|lean|mager\p{L}*|magro|magra|maigre|cocoa|cacao|cacau|kakao\p{L}*)?/giu;
const LEAN = /^(?:lean|mager|magr|maigre)/i;
const COCOA = /^(?:coco|cacao|cacau|kakao)/i;
const CHEESE = fattyPattern(['quark', 'cheese']);
/** Foods for which a bare percentage is fat: "2% milk". */
const FATTY = fattyPattern(['milk', 'yogurt', 'cream', 'quark', 'meat']);

/** Words of these kinds of foods in all languages; `end` limits what may follow. */
function fattyPattern(kinds: readonly FattyKind[], end = ''): RegExp {
  const words = LANGUAGE_CODES.flatMap((code) => kinds.flatMap((kind) => TABLES[code].fatty[kind]));
  return new RegExp(`(?:${words.map(fold).join('|')})${end}`, 'u');
}

/** Percentages of fat by which foods are sold, and the foods before them. */
const SOLD_BY_FAT = [
  [['milk', 'yogurt', 'quark'], '0 0.1 0.2 0.3 0.5 0.9 1 1.5 1.6 1.7 1.8 2 2.5 3 3.2 3.25 3.5 3.6 3.7 3.8'],
  [['yogurt'], '5 9 10'],
  [['quark'], '20 40'],
  [['cream'], '9 10 12 15 18 20 22 24 30 32 33 35 36 38 40'],
] as const;
const SOLD = SOLD_BY_FAT.map(
  ([kinds, percents]) =>
    [fattyPattern(kinds, String.raw`\p{L}{0,3}$`), new Set(percents.split(' ').map(Number))] as const,
);
/** Smaller whole numbers count foods, and fractions of one may be litres: "2 milk", "milk 0.5". */
const LEAST_PERCENT = 10;
/** Tokens before a number that may name its food: "fromage blanc 20", "jogurt naturalny 2,5". */
const MAX_BEFORE = 3;

/** Adds the sign to percentages of fat that are written without it: "mleko 3,2", "quark 20". */
export function withPercentSigns(
  tokens: readonly Token[],
  { units, otherUnits, times, and, connectors, descriptors }: Language,
): readonly Token[] {
  if (!tokens.some(({ kind }) => kind === 'number')) return tokens;
  return tokens.flatMap((token, at) => {
    const { kind, text, end } = token;
    const value = Number(text.replace(',', '.'));
    const next = tokens[at + 1];
    const isMeasured = [units, otherUnits, times].some((list) => list.has(tokens, at + 1));
    if (kind !== 'number' || isMeasured || next?.text === '%') return token;
    const goesOn = next?.kind === 'word' && ![and, connectors].some((list) => list.has(tokens, at + 1));
    const isWhole = Number.isInteger(value);
    const mayCount = isWhole ? value > 0 && value < LEAST_PERCENT : value < 1;
    if (mayCount ? next?.kind !== 'number' : isWhole && goesOn) return token;
    const before = [...tokens.keys()].slice(Math.max(0, at - MAX_BEFORE), at);
    while (before.length > 1 && descriptors.has(tokens, before.at(-1)!)) before.pop();
    const said = before.map((each) => tokens[each]!.folded).join(' ');
    if (!SOLD.some(([foods, percents]) => percents.has(value) && foods.test(said))) return token;
    return [token, { kind: 'symbol' as const, text: '%', folded: '%', start: end, end, joined: true }];
  });
}

/** Words of a percentage, which do not name a food: "fat" of "3.5 % fat" is not that of "low-fat". */
export function isWordOfPercent(stem: string): boolean {
  return /^\d/.test(stem) || WORDS.has(stem);
}
const WORDS: ReadonlySet<string> = new Set(
  'fat fett tr i f mg matiere grasse graisse grasa materia grasso grassi gordura lean mager magro magra maigre cocoa cacao cacau kakao kakaoanteil solid'.split(
    ' ',
  ),
);

/** The first percentage in a text that describes its food; undefined if there is none. */
export function statedPercent(text: string): StatedPercent | undefined {
  const folded = fold(text);
  for (const { 1: number, 2: word } of text.matchAll(PERCENT)) {
    const value = Number(number!.replace(',', '.'));
    if (word === undefined && !FATTY.test(folded) && !CHEESE.test(folded)) continue;
    const of =
      word !== undefined && COCOA.test(word)
        ? 'cocoa'
        : word !== undefined && LEAN.test(word)
          ? 'lean'
          : 'fat';
    return { value, of, isOfDryMatter: /tr/i.test(word ?? '') || (of === 'fat' && CHEESE.test(folded)) };
  }
  return undefined;
}

/** A difference in g of fat per 100 g that is negligible, and the same as a share of the stated value. */
const NEAR_FAT_G = 0.4;
const NEAR_FAT_SHARE = 0.1;
/** Dry matter of cheese, from fresh to hard. */
const DRY_MATTER = [0.2, 0.72] as const;
const MAX_GAP = 2;
/** A name with exactly this number matches better than one with the same fat. */
const SAME_NUMBER = -0.3;
const FAT_FREE = /\b(?:fat-free|nonfat)\b/i;

/** How far a food is from the stated percentage, from below 0 to 2. */
export function percentGap(
  { value, of, isOfDryMatter }: StatedPercent,
  { name, per100 }: { readonly name: string; readonly per100: Nutrients },
): number {
  if (of === 'cocoa') return cocoaGap(value, name);
  const wanted = of === 'lean' ? 100 - value : value;
  if (new RegExp(`(?<![\\d.,])${String(value).replace('.', '[.,]')}\\s?%`).test(name)) return SAME_NUMBER;
  const { fat } = per100;
  if (wanted === 0 && FAT_FREE.test(name)) return SAME_NUMBER;
  if (isOfDryMatter && fat >= DRY_MATTER[0] * wanted && fat <= DRY_MATTER[1] * wanted) return 0;
  const near = Math.max(NEAR_FAT_G, NEAR_FAT_SHARE * wanted);
  return Math.min(MAX_GAP, Math.max(0, Math.abs(fat - wanted) - near) / near);
}

/** Compares with the numbers of the name, as in "Chocolate, dark, 70-85% cacao solids"; dark chocolate has at least 45 %. */
function cocoaGap(value: number, name: string): number {
  const range = /(\d{2,3})(?:\s?[-–]\s?(\d{2,3}))?\s?%/.exec(name);
  if (range !== null) {
    const [low, high] = [Number(range[1]), Number(range[2] ?? range[1])];
    return value >= low - 5 && value <= high + 5 ? 0 : MAX_GAP;
  }
  const isDark = /dark|bitter|semisweet/i.test(name);
  return isDark === value >= 45 ? 0.3 : MAX_GAP;
}
