/** JSON of so many levels: arrays, objects, or both in turn. */
export function nested(levels: number, form: 'arrays' | 'objects' | 'both'): string {
  const opened = Array.from({ length: levels }, (_, level) => {
    if (form === 'both') return level % 2 === 0 ? '[' : '{"a":';
    return form === 'arrays' ? '[' : '{"a":';
  });
  const closing = opened.toReversed().map((open) => (open === '[' ? ']' : '}'));
  return `${opened.join('')}1${closing.join('')}`;
}

/** An object of so many fields that nobody knows. */
export function manyFields(count: number): string {
  return `{${Array.from({ length: count }, (_, at) => `"f${at.toString(36)}":0`).join()}}`;
}

/** A form of so many fields. */
export function formBomb(fields: number): string {
  return Array.from({ length: fields }, (_, at) => at.toString(36)).join('=&');
}

/** Numbers, texts and lists that a parser may take long for, or a program may choke on. */
export const ODD_VALUES: readonly string[] = [
  '1e400',
  `1${'0'.repeat(100_000)}`,
  `0.${'0'.repeat(100_000)}1`,
  `"${'\\u0000'.repeat(20_000)}"`,
  `"${'\\ud800'.repeat(20_000)}"`,
  `"${'a'.repeat(500_000)}"`,
  `[${'0,'.repeat(200_000)}0]`,
  `[${'{},'.repeat(100_000)}{}]`,
  `{${'"__proto__":{},'.repeat(20_000)}"a":1}`,
  `{"constructor":{"prototype":{"polluted":true}}}`,
];
