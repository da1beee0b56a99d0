/** Letters that Unicode does not decompose although readers take them for the plain ones. */
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
};
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(PLAIN_FORMS).join('')}]`, 'g');
const COMBINING_MARKS = /[\u0300-\u036f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole ASCII range is meant
const ASCII_ONLY = /^[\x00-\x7f]*$/;

/** Lower case without accents: "Crème Brûlée" and "creme brulee" become equal. Other scripts keep their letters. */
export function fold(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(COMBINING_MARKS, '')
    .replace(SPECIAL_LETTERS, (letter) => PLAIN_FORMS[letter]!);
}
