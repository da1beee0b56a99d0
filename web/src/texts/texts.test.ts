import { expect, it } from 'vitest';
import { ALL_TEXTS } from './all-texts.ts';

const { en, de, fr, es } = ALL_TEXTS;

const SOURCES = import.meta.glob<string>(['../**/*.{ts,tsx}', '!./**', '!../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
/** Same in English and another language, as names and symbols are. */
const SHARED_TEXTS = 60;

/** Each text by its path; those with parameters as they are called with samples. */
function textsOf(table: object, path = ''): [path: string, text: string][] {
  return Object.entries(table).flatMap(([key, value]): [string, string][] => {
    const at = path === '' ? key : `${path}.${key}`;
    if (typeof value === 'string') return [[at, value]];
    if (typeof value === 'function') return [[at, String(value(3, '7', 'x'))]];
    return textsOf(value, at);
  });
}

it.each([
  ['German', de],
  ['French', fr],
  ['Spanish', es],
])('has every text in %s', (_, table) => {
  const own = textsOf(table);
  const english = new Map(textsOf(en));
  expect(own.map(([path]) => path).toSorted()).toEqual([...english.keys()].toSorted());
  expect(own.filter(([, text]) => text.trim() === '')).toEqual([]);
  // More of them would be texts that nobody has translated.
  expect(own.filter(([path, text]) => english.get(path) === text).length).toBeLessThan(SHARED_TEXTS);
});

it('has no text that the page does not show', () => {
  const sources = Object.values(SOURCES).join('\n');
  const words = new Set(sources.match(/\w+/g));
  // Tables whose texts are chosen by a value, such as a meal, are used as a whole.
  const isUsed = (path: string) => {
    const keys = path.split('.');
    return words.has(keys.at(-1)!) || (keys.length > 1 && isIndexed(keys.at(-2)!));
  };
  const isIndexed = (name: string) =>
    new RegExp(`\\b${name}(?:\\[|\\)|,)|Object\\.\\w+\\([\\w.]*${name}`).test(sources);
  expect(
    textsOf(en)
      .filter(([path]) => !isUsed(path))
      .map(([path]) => path),
  ).toEqual([]);
});
