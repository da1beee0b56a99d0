import { withPlainDigits } from '@larder/core/words/plain-digits.ts';
import { isAscii } from '@larder/core/words/tokenise.ts';
import { findMeasuredUnit } from './units.ts';

/**
 * Normalises serving texts for the reader of amounts: codes of GS1 and other scripts become common units,
 * joined words and numbers are separated, and fractions of any denominator become decimals.
 */
const SPELLINGS: readonly (readonly [written: RegExp, unit: string])[] = [
  // Before the shorter units that they begin with.
  [
    /(?<=\d)\s*(?:公斤|千克|キロ(?:グラム)?|킬로(?:그램)?|กก\.?|กิโล(?:กรัม)?|ק["״]ג|كجم|كغم?|किलो(?:ग्राम)?|कि\.?\s?ग्रा\.?|κιλ[άό]|(?:kgm|кг)(?![\p{L}]))/giu,
    ' kg ',
  ],
  [
    /(?<=\d)\s*(?:毫升|ミリ(?:リットル)?|밀리리터|มล\.?|มิลลิลิตร|מ["״]ל|ملل|مل(?:يلتر|ي)?(?![\p{L}])|मिली(?:लीटर)?|मि\.?\s?ली\.?|μλ|(?:mlt|mls|m|cm3|cm³|мл|(?<=\d\d\s?)cc)(?![\p{L}\d]))/giu,
    ' ml ',
  ],
  [/(?<=\d)\s*(?:公升|升|リットル|리터|ลิตร|ליטר|ليتر|لتر|लीटर|λίτρ[αο]|(?:ltr|л)(?![\p{L}]))/giu, ' l '],
  [
    /(?<=\d)\s*(?:grm|grs|gms|克|グラム|그[램람]|กรัม|גרם|غرام|جرام|جم|غم?(?![\p{L}])|ग्रा(?:म|\.)?|γρ(?:αμμάρι[αο]|\.)?|гр?\.?(?![\p{L}])|грам\p{L}*)/giu,
    ' g ',
  ],
  [/(?<![\p{L}])(?:onz)(?![\p{L}])/giu, 'oz'],
  [/(?<![\p{L}])lbr(?![\p{L}])/giu, 'lb'],
  [/(?<![\p{L}])(?:oza|fl\.?\s*oz\.?|fluid\s+ounces?)(?![\p{L}])/giu, ' fl oz '],
  [/(?<![\p{L}])(?:pce|pza|pzas)(?![\p{L}])/giu, 'piece'],
];
/** "ca.50g", "approx50", "30.g", "x25": the parts are separate words. */
const GLUED: readonly (readonly [glued: RegExp, apart: string])[] = [
  [/(\p{L})\.(?=\d)/gu, '$1. '],
  [/(\d)\.\s*(?=\p{L})/gu, '$1 '],
  [/(\p{L})(?=\d)/gu, '$1 '],
  [/(\d)([x×])(?=\p{L})/giu, '$1 $2 '],
  // "250ml入り", "30g当たり".
  [/(?<=\d)(k?g|m?l)(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/giu, ' $1 '],
  [/(\d)(?=\p{L}{3})/gu, '$1 '],
  [/(?<=\d)\s*\*\s*(?=\d)/gu, ' x '],
  [/(?<=\p{L}\s)demi-(?=\p{L})/giu, 'demi '],
];
const COUNT = String.raw`(?<![\d.,/⁄])(\d{1,3})`;
const NO_MORE_DIGITS = String.raw`(?![\d.,/⁄])`;
const TIMES = String.raw`\s*[x×]\s*`;
/** "2 x 2 x 25 g" and "3 x (2 x 25 g)" have one count. */
const TWO_COUNTS = new RegExp(`${COUNT}${TIMES}\\(?\\s*(\\d{1,3})${NO_MORE_DIGITS}(?=${TIMES}\\d)`, 'iu');
/** "3 x 2 biscuits": pieces of pieces, not units of mass or volume. */
const COUNTED_PIECES = new RegExp(
  `${COUNT}${TIMES}(\\d{1,3})${NO_MORE_DIGITS}(?=\\s+(\\p{L}+(?:\\s+\\p{L}+)?))`,
  'giu',
);
/** "2 biscuits x 12,5 g", "2 biscotti da 12,5 g", "2 x (1 pot 125 g)": the weight is that of each piece. */
const EACH = /(?<![\d.,/⁄])(\d{1,3})(\s+\p{L}+)(?:\s*[x×]\s*|\s+da\s+)(\d+(?:[.,]\d+)?\s*\p{L}+)/giu;
const TIMES_ONE =
  /(?<![\d.,/⁄])(\d{1,3})\s*[x×]\s*\(\s*1\s+(\p{L}+)[\s:,=]*(\d+(?:[.,]\d+)?\s*\p{L}+)\s*\)/giu;
/** Counts of packages in packages. */
const MAX_NESTED = 3;
/** "16.9 fl oz or 500 ml" states one amount twice. */
const OR = / (?:or|oder|ou|o|ovvero|oppure) (?=\d+(?:[.,]\d+)? ?(?:g|ml)(?![\p{L}]))/giu;
/** A denominator of zero makes it no number. */
const FRACTION = /(?<![\d.,/⁄])(?:(\d{1,4})[ -])?(\d{1,3})\s?[/⁄]\s?(\d{1,3})(?![\d.,/⁄%])/g;
const DECIMALS = 6;

export function spellOut(text: string): string {
  let spelled = isAscii(text) ? text : withPlainDigits(text);
  for (const [glued, apart] of GLUED) spelled = spelled.replace(glued, apart);
  for (const [written, unit] of SPELLINGS) spelled = spelled.replace(written, unit);
  return multiplied(spelled)
    .replace(OR, ' / ')
    .replace(FRACTION, (written, whole: string | undefined, above: string, below: string) => {
      const value = Number(whole ?? 0) + Number(above) / Number(below);
      return Number.isFinite(value)
        ? String(Number(value.toFixed(DECIMALS)))
        : ` ${written.replaceAll(/[/⁄]/g, ' of ')} `;
    });
}

function multiplied(text: string): string {
  let spelled = text
    .replace(TIMES_ONE, '$1 $2 ($1 x $3)')
    .replace(EACH, (written, count, piece, each) =>
      findMeasuredUnit(piece) === undefined ? `${count}${piece} (${count} x ${each})` : written,
    );
  for (let nested = 0; nested < MAX_NESTED; nested++) spelled = spelled.replace(TWO_COUNTS, product);
  return spelled.replace(COUNTED_PIECES, (written, a: string, b: string, words: string) => {
    const isMeasured = [words, words.split(/\s/)[0]!].some((unit) => findMeasuredUnit(unit) !== undefined);
    return isMeasured ? written : product(written, a, b);
  });
}

function product(_: string, a: string, b: string): string {
  return String(Number(a) * Number(b));
}
