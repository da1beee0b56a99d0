/** Control characters, of which some make a terminal do things, and those that turn around what people read. */
const ACTING = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const LAYOUT: ReadonlySet<string> = new Set(['\n', '\t']);

/**
 * Text as a terminal may show it, whoever wrote it. Characters that act on the terminal are shown as JSON escapes them; in
 * JSON they mean the same.
 */
export function printable(text: string): string {
  return text.replace(ACTING, (character) => (LAYOUT.has(character) ? character : escaped(character)));
}

/** The same of text that is part of a line, such as a name. */
export function printableInLine(text: string): string {
  return text.replace(ACTING, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
