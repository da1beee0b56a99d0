import { type Element, identifierAt, isElement, predefinedDigits } from './application-identifiers.ts';

/** The separator that scanners send for FNC1, and its printable replacements. */
const SEPARATOR = '\u001d';
const WRITTEN_SEPARATOR = /\u241d|\^\]|\\(?:x1d|u001d)|[<{[](?:gs|fnc1)[>}\]]/gi;

/** The contents of an element string; `unread` holds the characters after the last readable element. */
export interface ReadElements {
  readonly elements: readonly Element[];
  readonly unread?: string;
}

/** Replaces all separators by one character. */
export function withSeparators(text: string): string {
  return text.replace(WRITTEN_SEPARATOR, SEPARATOR);
}

/**
 * Reads elements as encoded in a symbol, `01030176204220031723051510AB`: after a value of predefined length
 * the next identifier follows directly, another value ends at a separator or at the end.
 */
export function readPlainElements(text: string): ReadElements {
  const elements: Element[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] === SEPARATOR) {
      at++;
      continue;
    }
    const ai = identifierAt(text, at);
    if (ai === undefined) break;
    const start = at + ai.length;
    const digits = predefinedDigits(ai);
    const separator = text.indexOf(SEPARATOR, start);
    const end = digits === undefined ? (separator === -1 ? text.length : separator) : start + digits;
    const element = { ai, value: text.slice(start, end) };
    if (!isElement(element)) break;
    elements.push(element);
    at = end;
  }
  return at < text.length ? { elements, unread: text.slice(at) } : { elements };
}

/** An identifier in the brackets that are printed below a symbol. */
const BRACKETED = /[([](\d{2,4})[)\]]/g;

/** Reads elements as printed, `(01)03017620422003(10)AB`; undefined if the text does not begin so. */
export function readBracketedElements(text: string): ReadElements | undefined {
  // Values may hold brackets, so that only identifiers count.
  const starts = [...text.matchAll(BRACKETED)].filter(([, ai]) => identifierAt(ai!, 0) === ai);
  if (starts[0]?.index !== 0) return undefined;
  const elements: Element[] = [];
  for (const [index, { 0: bracketed, 1: ai, index: at }] of starts.entries()) {
    const raw = text.slice(at + bracketed.length, starts[index + 1]?.index);
    const element = toElement(ai!, raw);
    if (isElement(element)) {
      elements.push(element);
      continue;
    }
    // The characters after a value of predefined length are not a known element.
    const digits = predefinedDigits(ai!) ?? 0;
    const begun = { ai: ai!, value: raw.slice(0, digits) };
    if (!isElement(begun)) return { elements, unread: text.slice(at) };
    return { elements: [...elements, begun], unread: text.slice(at + bracketed.length + digits) };
  }
  return { elements };
}

/** An element whose value may contain spaces, and whose GTIN may be shorter than 14 digits. */
export function toElement(ai: string, raw: string): Element {
  const value = raw.replaceAll(SEPARATOR, '').trim();
  const digits = predefinedDigits(ai);
  if (digits === undefined) return { ai, value };
  const plain = value.replace(/[\s-]/g, '');
  return { ai, value: isShortGtin(ai, plain) ? plain.padStart(digits, '0') : plain };
}

function isShortGtin(ai: string, value: string): boolean {
  return /^0[12]$/.test(ai) && /^(?:\d{8}|\d{12,13})$/.test(value);
}
