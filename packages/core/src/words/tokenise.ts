/** Letters that Unicode does not decompose but readers treat as plain ones. */
const PLAIN_FORMS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ŧ: 't',
  ħ: 'h',
  ĸ: 'k',
  ŋ: 'n',
  // Letters of Arabic, Greek and Hindi that people type for one another.
  ى: 'ي',
  ة: 'ه',
  ک: 'ك',
  ی: 'ي',
  ς: 'σ',
  '\u0901': '\u0902',
};
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(PLAIN_FORMS).join('')}]`, 'g');
/** Accents, the vowel marks of Hebrew and Arabic with the stretching of letters, and the dot below of Hindi. */
const COMBINING_MARKS = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670\u093c]/g;
const KATAKANA = /[\u30a1-\u30f6]/g;
/** From a letter of katakana to the same one of hiragana. */
const TO_HIRAGANA = 0x3041 - 0x30a1;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole ASCII range is meant
const ASCII_ONLY = /^[\x00-\x7f]*$/;

export function isAscii(text: string): boolean {
  return ASCII_ONLY.test(text);
}

/**
 * Lower case without accents: "Crème Brûlée" and "creme brulee" become equal. Other scripts keep their letters but not
 * their vowel marks, and both scripts of Japanese syllables become one.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(COMBINING_MARKS, '')
    .replace(SPECIAL_LETTERS, (letter) => PLAIN_FORMS[letter]!)
    .replace(KATAKANA, (letter) => String.fromCharCode(letter.charCodeAt(0) + TO_HIRAGANA));
}

/** Longer words are cut, so that no input can make the dictionary or the typo search expensive. */
export const MAX_WORD_LENGTH = 32;

const BREAK = 0;
const LETTER = 1;
const DIGIT = 2;
const APOSTROPHE = 3;
const IDEOGRAPH = 4;
type CharacterClass = typeof BREAK | typeof LETTER | typeof DIGIT | typeof APOSTROPHE | typeof IDEOGRAPH;

const OTHER_LETTER = /^[\p{L}\p{M}]$/u;
const OTHER_DIGIT = /^\p{N}$/u;

const ASCII_CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LETTER;
  if (code >= 48 && code <= 57) return DIGIT;
  return code === 39 || code === 96 ? APOSTROPHE : BREAK;
});

function classOf(code: number): CharacterClass {
  if (code < 128) return ASCII_CLASSES[code] as CharacterClass;
  if (code === 0x2019 || code === 0x2018 || code === 0x02bc || code === 0xb4) return APOSTROPHE;
  // Kana and Han are written without spaces, so each character is a word.
  if ((code >= 0x3041 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff)) return IDEOGRAPH;
  if (code >= 0xd800 && code <= 0xdfff) return BREAK;
  const character = String.fromCharCode(code);
  if (OTHER_LETTER.test(character)) return LETTER;
  return OTHER_DIGIT.test(character) ? DIGIT : BREAK;
}

/**
 * Articles and prepositions that French and Italian elide before the next word: "l'ail", "dell'orto". Excludes "s'",
 * which precedes verbs and occurs in "s'mores".
 */
const ELISIONS = new Set(['l', 'd', 'j', 'm', 'n', 't', 'c', 'qu', 'dell', 'all', 'nell', 'sull', 'dall']);

/** The end of the word that begins at `start`. Apostrophes inside are skipped ("welch's" is "welchs"). */
function endOfWord(text: string, start: number, wanted: CharacterClass): number {
  let end = start + 1;
  while (end < text.length) {
    const found = classOf(text.charCodeAt(end));
    if (found === wanted) end++;
    else if (wanted === LETTER && found === APOSTROPHE && isLetterAt(text, end + 1)) {
      if (ELISIONS.has(text.slice(start, end)) && isLetterAt(text, end + 2)) return end;
      end += 2;
    } else break;
  }
  return end;
}

function isLetterAt(text: string, index: number): boolean {
  return index < text.length && classOf(text.charCodeAt(index)) === LETTER;
}

/** The end of a number with decimals: "1,5" and "1.5" are both the word "1.5". */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  let isDecimal = false;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (classOf(code) === DIGIT) end++;
    else if (!isDecimal && (code === 44 || code === 46) && classOf(text.charCodeAt(end + 1)) === DIGIT) {
      isDecimal = true;
      end += 2;
    } else break;
  }
  return end;
}

const APOSTROPHES = /['`\u2019\u2018\u02bc\u00b4]/g;

/**
 * Splits a text into indexed words: folded, letters apart from digits ("330ml" is 330 and ml), a per cent sign after
 * a number as its own word ("2 %"), at most `maxTokens`.
 */
export function tokenise(text: string, maxTokens: number): string[] {
  const folded = fold(text);
  const tokens: string[] = [];
  let index = 0;
  while (index < folded.length && tokens.length < maxTokens) {
    const code = folded.charCodeAt(index);
    const found = classOf(code);
    if (found === LETTER) {
      const end = endOfWord(folded, index, LETTER);
      const word = folded.slice(index, end);
      // An elided article is dropped, since people search for the word after it.
      const isElision = ELISIONS.has(word) && classOf(folded.charCodeAt(end)) === APOSTROPHE;
      if (!isElision || !isLetterAt(folded, end + 1)) {
        tokens.push(word.replace(APOSTROPHES, '').slice(0, MAX_WORD_LENGTH));
      }
      index = end;
    } else if (found === DIGIT) {
      const end = endOfNumber(folded, index);
      tokens.push(folded.slice(index, Math.min(end, index + MAX_WORD_LENGTH)).replace(',', '.'));
      index = end;
      const sign = folded.charCodeAt(index) === 32 ? index + 1 : index;
      if (folded.charCodeAt(sign) === 37 && tokens.length < maxTokens) {
        tokens.push('%');
        index = sign + 1;
      }
    } else {
      if (found === IDEOGRAPH) tokens.push(folded[index]!);
      index++;
    }
  }
  return tokens;
}
