/** Words and examples may change: they bind no client. */
const WORDS = new Set(['description', 'summary', 'example', 'examples']);

interface Document {
  readonly paths: object;
  readonly components: object;
}

/** Everything of the old document that is gone or different in the new one: a frozen document only gains. */
export function frozenChanges(before: Document, after: Document): string[] {
  const parts = ({ paths, components }: Document) => ({ paths, components });
  return changesOf(parts(before), parts(after), '');
}

function changesOf(before: unknown, after: unknown, place: string): string[] {
  if (Array.isArray(before)) {
    const others: readonly unknown[] = Array.isArray(after) ? after : [];
    const isKept = (item: unknown) => others.some((other) => changesOf(item, other, '').length === 0);
    return before.flatMap((item, at) => (isKept(item) ? [] : [`${place}/${at}: is gone or different`]));
  }
  if (typeof before !== 'object' || before === null)
    return before === after ? [] : [`${place}: was ${before} and is ${after}`];
  return Object.entries(before).flatMap(([name, value]) => {
    // A field may have the name of a word.
    const isWord = WORDS.has(name) && !place.endsWith('/properties');
    const other = Object(after)[name];
    const at = `${place}/${name.replaceAll('/', '~1')}`;
    if (isWord) return [];
    return other === undefined ? [`${at}: is gone`] : changesOf(value, other, at);
  });
}
