import fc from 'fast-check';

/** One change that makes most bodies wrong. */
export interface Break {
  /** Which position in the body, modulo their number. */
  readonly at: number;
  readonly how: 'replace' | 'remove' | 'add';
  readonly value: unknown;
}

/** Common mistakes of clients, and texts that break databases, numbers and paths. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '1e400',
  '9007199254740993',
  'NaN',
  'null',
  '\u0000',
  '\ud800',
  '\u202e',
  "'; drop table api_keys; --",
  '%',
  '2030-02-30',
  '2030-01-01T00:00:00Z',
  '0000-01-01',
  '__proto__',
  'constructor',
  'x'.repeat(10_000),
];

export const oddText = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'binary', maxLength: 40 }));

const oddValue = fc.oneof(
  oddText,
  fc.constantFrom<unknown>(null, true, 0, -0, -1, 0.1, 1e-320, 1e21, 1e308, 2 ** 53, [], {}, [[]], [null]),
  fc.jsonValue({ maxDepth: 3 }),
);

export const anyBreak: fc.Arbitrary<Break> = fc.record({
  at: fc.nat(100),
  how: fc.constantFrom('replace', 'replace', 'remove', 'add'),
  value: oddValue,
});

const ADDED_NAMES = ['unknown', '__proto__', 'constructor', ''];

/** The body with one value replaced, removed or added. */
export function broken(body: unknown, { at, how, value }: Break): unknown {
  const copy = structuredClone(body);
  const places = placesIn(copy);
  const place = places[at % places.length];
  if (place === undefined) return structuredClone(value);
  const [holder, name] = place;
  if (how === 'remove') delete holder[name];
  else set(holder, how === 'replace' ? name : ADDED_NAMES[at % ADDED_NAMES.length]!, structuredClone(value));
  return copy;
}

type Place = readonly [Record<string, unknown>, string];

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [[holder, name] as const, ...placesIn(holder[name])]);
}

/** Also a field with the name `__proto__`. */
function set(holder: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}
