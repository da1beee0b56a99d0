import { type Element, isElement } from './application-identifiers.ts';
import { type ReadElements, toElement } from './element-string.ts';

/**
 * Reads GS1 Digital Link URIs: `https://example.com/some/path/01/03017620422003/10/AB?17=230515`. Host and
 * leading path are free. Source: GS1 Digital Link Standard: URI Syntax. Its first versions allowed words
 * instead of numbers.
 */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['gtin', '01'],
  ['itip', '8006'],
  ['cpv', '22'],
  ['lot', '10'],
  ['ser', '21'],
  ['exp', '17'],
]);
/** Identifiers that name the product. */
const KEYS: ReadonlySet<string> = new Set(['01', '8006']);

const LINK =
  /^(?:https?:\/\/)?([^\s/?#]+\.[^\s/?#]+|localhost(?::\d+)?)\/([^\s?#]*)(?:\?([^\s#]*))?(?:#\S*)?$/i;
const WITH_SCHEME = /^https?:\/\//i;

/** Whether the text is meant as a link. */
export function isLink(text: string): boolean {
  return WITH_SCHEME.test(text) || LINK.test(text);
}

/** The elements of a link; none if it names no product. */
export function readDigitalLink(text: string): ReadElements {
  const [, , path = '', query = ''] = LINK.exec(text) ?? [];
  const inPath = readPath(path.split('/').map(decode));
  const attributes = query
    .split(/[&;]/)
    .map((pair) => /^([^=]*)=(.*)$/s.exec(pair))
    .flatMap((pair) => (pair === null ? [] : toElements(decode(pair[1]!), decode(pair[2]!))));
  const elements = [...inPath, ...attributes];
  return { elements: elements.some(({ ai }) => KEYS.has(ai)) ? elements : [] };
}

/** The first key with its value, and the pairs that follow. */
function readPath(segments: readonly string[]): Element[] {
  for (let start = 0; start + 1 < segments.length; start++) {
    const [key] = toElements(segments[start]!, segments[start + 1]!);
    if (key === undefined || !KEYS.has(key.ai)) continue;
    const elements = [key];
    for (let at = start + 2; at + 1 < segments.length; at += 2) {
      elements.push(...toElements(segments[at]!, segments[at + 1]!));
    }
    return elements;
  }
  return [];
}

/** Attributes that are no identifiers belong to the website. */
function toElements(name: string, value: string): Element[] {
  const word = name.toLowerCase();
  const element = toElement(WORDS.get(word) ?? word, value);
  return isElement(element) ? [element] : [];
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
