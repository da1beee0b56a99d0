import type { Nutrients } from '@larder/core/nutrients.ts';

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
const CHEESE =
  /quark|topfen|chees|käse|kaese|fromage|queso|formaggio|queijo|gouda|emmental|edam|camembert|brie/i;
/** Foods for which a bare percentage is fat: "2% milk". */
const FATTY =
  /milk|milch|lait|leche|latte|leite|melk|mlek|yog|joghurt|jogurt|iogurte|yaourt|quark|kwark|tvar|twar|cream|sahne|crème|creme|nata|panna|room|śmiet|skyr|kefir|beef|steak|hach|macinat|picad|moíd|turkey|mince|hack|gehakt|miel/i;

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
  for (const { 1: number, 2: word } of text.matchAll(PERCENT)) {
    const value = Number(number!.replace(',', '.'));
    if (word === undefined && !FATTY.test(text) && !CHEESE.test(text)) continue;
    const of =
      word !== undefined && COCOA.test(word)
        ? 'cocoa'
        : word !== undefined && LEAN.test(word)
          ? 'lean'
          : 'fat';
    return { value, of, isOfDryMatter: /tr/i.test(word ?? '') || (of === 'fat' && CHEESE.test(text)) };
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

/** How far a food is from the stated percentage, from below 0 to 2. */
export function percentGap(
  { value, of, isOfDryMatter }: StatedPercent,
  { name, per100 }: { readonly name: string; readonly per100: Nutrients },
): number {
  if (of === 'cocoa') return cocoaGap(value, name);
  const wanted = of === 'lean' ? 100 - value : value;
  if (new RegExp(`(?<![\\d.,])${String(value).replace('.', '[.,]')}\\s?%`).test(name)) return SAME_NUMBER;
  const { fat } = per100;
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
