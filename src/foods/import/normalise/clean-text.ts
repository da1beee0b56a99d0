import { decodeHTML } from 'entities/decode';
import { repairTwiceEncoded, TWICE_ENCODED_PAIR } from './twice-encoded.ts';

const MARKUP = /<\/?[a-z][^<>]{0,200}>/gi;
/** Control characters, and characters that change the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: to be taken out
const CONTROL = /[\u0001-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069\uFFFD]/g;
/** Characters without width or meaning. Joiners stay, because Persian and Indic scripts need them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: to be taken out
const INVISIBLE = /[\u0000\u00AD\u200B\u200E\u200F\u2060\uFEFF]/g;
const SPACES = /\s+/g;
/** A fast path: most texts are clean. */
const CLEAN = /^[!-%'-;=?-~\u00A1-\u00AC\u00AE-\u02FF](?: ?[!-%'-;=?-~\u00A1-\u00AC\u00AE-\u02FF])*$/;

/** Repairs text that was encoded twice; removes entities (also doubly encoded ones), markup, control characters and extra spaces. */
export function cleanText(text: string): string {
  if (CLEAN.test(text) && !TWICE_ENCODED_PAIR.test(text)) return text;
  let clean = repairTwiceEncoded(text).text;
  for (let depth = 0; depth < 2 && clean.includes('&'); depth++) clean = decodeHTML(clean);
  if (clean.includes('<')) clean = clean.replace(MARKUP, ' ');
  return clean.replace(INVISIBLE, '').replace(CONTROL, ' ').replace(SPACES, ' ').trim().normalize('NFC');
}

/** Cuts at `length` UTF-16 units, at a nearby space if there is one, never within a character. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const space = text.lastIndexOf(' ', length);
  const cut = text.slice(0, space > length * 0.8 ? space : length);
  return cut.replace(/[\uD800-\uDBFF]$/, '').trimEnd();
}
