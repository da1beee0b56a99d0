import type { Food } from '@larder/core/food.ts';
import type { LanguageBits } from '@larder/core/name-languages.ts';
import { cleanText, cutText } from './clean-text.ts';
import { repairTwiceEncoded, TWICE_ENCODED_PAIR } from './twice-encoded.ts';

export const MAX_IMPORTED_NAME_LENGTH = 300;
const MAX_BRAND_LENGTH = 100;
const MAX_ALIASES = 20;
/** Names with fewer letters may be abbreviations and keep their capitals: "BBQ", "H&M". */
const MIN_SHOUTED_LETTERS = 5;

export interface CleanName {
  readonly name: string;
  readonly mended: readonly string[];
}

/** The displayed name; empty if nothing is left. */
export function cleanName(raw: string): CleanName {
  const clean = cleanText(raw);
  const softened = softenCapitals(clean);
  const name = cutText(softened, MAX_IMPORTED_NAME_LENGTH);
  if (name === raw && !TWICE_ENCODED_PAIR.test(raw)) return { name, mended: [] };
  const mended: string[] = [];
  const { isRepaired, isDoubtful } = repairTwiceEncoded(raw);
  if (isRepaired) mended.push('name that was encoded twice repaired');
  if (isDoubtful) mended.push('name that may be encoded twice in part kept');
  if (raw.includes('&') && !clean.includes(raw.trim())) mended.push('name with HTML entities decoded');
  if (softened !== clean) mended.push('name in capitals softened');
  if (name !== softened) mended.push(`name cut to ${MAX_IMPORTED_NAME_LENGTH} characters`);
  return { name: /[\p{L}\p{N}]/u.test(name) ? name : '', mended };
}

const SMALL_WORDS = new Set(
  'of and the with in or for de du des la le les et à au aux en y e con di da al und mit von'.split(' '),
);
const WORD = /(?<![\p{L}\p{N}])\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)*(?!\p{N})/gu;
const VOWEL = /[AEIOUYÀ-ÖØ-Ý]/;

/** Converts a name in capitals to capital initials; others stay unchanged. */
function softenCapitals(name: string): string {
  if (name !== name.toUpperCase() || name === name.toLowerCase()) return name;
  if ((name.match(/\p{Lu}/gu)?.length ?? 0) < MIN_SHOUTED_LETTERS) return name;
  return name.replace(WORD, (word, at: number) => {
    const lower = word.toLowerCase();
    if (at > 0 && SMALL_WORDS.has(lower)) return lower;
    if (word.length <= 3 && /^[A-Z]+$/.test(word) && !VOWEL.test(word)) return word;
    const [initial = '', ...rest] = word;
    return initial + rest.join('').toLowerCase();
  });
}

/** Texts that sources write instead of a brand. */
const NO_BRAND = /^(?:null|none|unknown|n\/?a|no brand|not a branded item|sans marque|[-–—.?\s]*)$/i;

/** The first brand of a comma-separated list; undefined if the text means none. */
export function cleanBrand(raw: string | undefined): string | undefined {
  if (raw === undefined || raw === '') return undefined;
  const clean = cleanText(raw);
  const comma = firstBrandEnd(clean);
  const brand = cutText(clean.slice(0, comma).trim(), MAX_BRAND_LENGTH);
  return NO_BRAND.test(brand) ? undefined : brand;
}

/** "Kellogg Company, Inc." is one brand, "Ferrero,Nutella" are two. */
const COMPANY_FORM = /^,\s*(?:inc|llc|ltd|l\.l\.c|co|corp|s\.?a|gmbh|limited|incorporated)\b/i;

function firstBrandEnd(brands: string): number {
  const comma = brands.indexOf(',');
  if (comma === -1) return brands.length;
  return COMPANY_FORM.test(brands.slice(comma)) ? brands.length : comma;
}

/** Other names, cleaned, without duplicates and the name itself, and the languages of all if they are stated. */
export function cleanAliases(
  raw: readonly string[] | undefined,
  name: string,
  nameLanguages: readonly LanguageBits[] = [],
): Pick<Food, 'aliases' | 'nameLanguages'> {
  const [ofName = 0, ...ofAliases] = nameLanguages;
  if (raw === undefined || raw.length === 0)
    return ofName === 0 ? { aliases: NO_ALIASES } : { aliases: NO_ALIASES, nameLanguages: [ofName] };
  const languages = [ofName];
  const seen = new Set([name.toLowerCase()]);
  const aliases: string[] = [];
  for (const [at, text] of raw.entries()) {
    const alias = cutText(cleanText(text), MAX_IMPORTED_NAME_LENGTH);
    const folded = alias.toLowerCase();
    if (alias === '' || seen.has(folded)) continue;
    seen.add(folded);
    aliases.push(alias);
    languages.push(ofAliases[at] ?? 0);
    if (aliases.length === MAX_ALIASES) break;
  }
  return languages.some((bits) => bits !== 0) ? { aliases, nameLanguages: languages } : { aliases };
}

const NO_ALIASES: readonly string[] = Object.freeze([]);
