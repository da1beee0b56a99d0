import { resolve, type Schema } from './schema.ts';

/** Requests written for the old document must stay valid; readers of the old one must understand responses. */
export type Direction = 'request' | 'response';

const LOWER_LIMITS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const;
const UPPER_LIMITS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const;

export interface ComparisonOptions {
  readonly before: object;
  readonly after: object;
  readonly direction: Direction;
  /**
   * Names of schemas, and fields as `Schema.field`, whose values may become more: clients must accept new
   * ones in responses, null among them.
   */
  readonly growing: ReadonlySet<string>;
  /** Pairs of patterns, old and new, of which the new one matches whatever the old one matches. */
  readonly widened: readonly (readonly [string, string])[];
}

/**
 * Compares two schemas: one side (new requests, old responses) must accept whatever the other side may send.
 * Values and fields that only the receiver knows are compatible.
 */
export class SchemaComparison {
  readonly #options: ComparisonOptions;
  readonly #underWay = new Set<string>();
  readonly problems: string[] = [];

  constructor(options: ComparisonOptions) {
    this.#options = options;
  }

  /** `field` is the schema as a field of a named one. */
  compare(before: Schema, after: Schema, place: string, field?: string): void {
    const old = resolve(this.#options.before, before);
    const now = resolve(this.#options.after, after);
    const pair = `${old.refs.at(-1)} ${now.refs.at(-1)}`;
    const isNamed = old.refs.length > 0 && now.refs.length > 0;
    if (isNamed && this.#underWay.has(pair)) return;
    if (isNamed) this.#underWay.add(pair);
    const names = [field, ...now.refs.map(nameOf)];
    const isGrowing = names.some((name) => name !== undefined && this.#options.growing.has(name));
    const mayGrow = isGrowing && this.#options.direction === 'response';
    this.#compareResolved(old.schema, now.schema, place, mayGrow, names.at(-1));
    this.#underWay.delete(pair);
  }

  #compareResolved(before: Schema, after: Schema, place: string, mayGrow: boolean, name?: string): void {
    if (alternatives(before) !== undefined || alternatives(after) !== undefined) {
      if (!mayGrow) this.#compareAlternatives(before, after, place);
      return;
    }
    const [sent, received] = this.#sides(before, after);
    const report = (what: string) => {
      this.problems.push(`${place}: ${what}`);
    };
    const unknownTypes = typesOf(sent)
      .filter((type) => !acceptsType(typesOf(received), type))
      .filter((type) => !(mayGrow && type === 'null'));
    if (unknownTypes.length > 0) {
      report(`its type was ${typesOf(before).join(' or ')} and is ${typesOf(after).join(' or ')}`);
    }
    if (!mayGrow) this.#compareValues(sent, received, report);
    this.#compareLimits(sent, received, report);
    if (before.properties !== undefined || after.properties !== undefined) {
      this.#compareObjects(before, after, place, name);
    }
    if (before.items !== undefined && after.items !== undefined) {
      this.compare(before.items, after.items, `${place}[]`, name);
    }
    const [oldValues, newValues] = [before.additionalProperties, after.additionalProperties];
    if (typeof oldValues === 'object' && typeof newValues === 'object') {
      this.compare(oldValues, newValues, `${place}.*`);
    }
  }

  /** Each alternative that may be sent must be one that the receiver understands. */
  #compareAlternatives(before: Schema, after: Schema, place: string): void {
    const [sent, received] = this.#sides(alternatives(before) ?? [before], alternatives(after) ?? [after]);
    for (const one of sent) {
      const attempts = received.map((other) => this.#problemsOf(one, other, place));
      if (attempts.some(({ length }) => length === 0)) continue;
      const closest = attempts.toSorted((a, b) => a.length - b.length)[0] ?? [];
      this.problems.push(...closest);
    }
  }

  #problemsOf(sent: Schema, received: Schema, place: string): readonly string[] {
    const comparison = new SchemaComparison(this.#options);
    const [before, after] = this.#sides(sent, received);
    comparison.compare(before, after, place);
    return comparison.problems;
  }

  #compareValues(sent: Schema, received: Schema, report: (what: string) => void): void {
    const [given, known] = [valuesOf(sent), valuesOf(received)];
    if (known !== undefined) {
      const unknown = given?.filter((value) => !known.includes(value)) ?? ['others'];
      const problem = this.#options.direction === 'request' ? 'takes no longer' : 'may newly be';
      if (unknown.length > 0) report(`${problem} ${unknown.join(', ')}`);
    }
    if (received.format !== undefined && received.format !== sent.format) {
      const [before, after] = this.#sides(sent, received);
      report(`its format was ${before.format ?? 'any'} and is ${after.format ?? 'any'}`);
    }
    const { pattern } = received;
    if (pattern === undefined || pattern === sent.pattern) return;
    if (given?.every((value) => new RegExp(pattern, 'u').test(String(value)))) return;
    const isWider = this.#options.widened.some(([old, now]) => old === sent.pattern && now === pattern);
    if (!isWider) report(`its pattern was ${sent.pattern} and is ${pattern}, which may exclude more`);
  }

  #compareLimits(sent: Schema, received: Schema, report: (what: string) => void): void {
    const [before, after] = this.#sides(sent, received);
    const isNarrower = [
      ...LOWER_LIMITS.filter((name) => (sent[name] ?? -Infinity) < (received[name] ?? -Infinity)),
      ...UPPER_LIMITS.filter((name) => (sent[name] ?? Infinity) > (received[name] ?? Infinity)),
    ];
    for (const name of isNarrower)
      report(`${name} was ${before[name] ?? 'absent'} and is ${after[name] ?? 'absent'}`);
  }

  #compareObjects(before: Schema, after: Schema, place: string, schemaName?: string): void {
    const [sent, received] = this.#sides(before, after);
    const always = new Set(sent.required);
    for (const name of received.required ?? []) {
      if (!always.has(name)) {
        const what = this.#options.direction === 'request' ? 'is newly required' : 'may newly be absent';
        this.problems.push(`${place}.${name}: ${what}`);
      }
    }
    for (const [name, schema] of Object.entries(before.properties ?? {})) {
      const now = after.properties?.[name];
      if (now === undefined) this.problems.push(`${place}.${name}: is gone`);
      else this.compare(schema, now, `${place}.${name}`, `${schemaName}.${name}`);
    }
    const isClosed = after.additionalProperties === false && before.additionalProperties !== false;
    if (isClosed && this.#options.direction === 'request') {
      this.problems.push(`${place}: refuses fields that it does not know`);
    }
  }

  /** The side that sends, and the side that must understand. */
  #sides<T>(before: T, after: T): readonly [T, T] {
    return this.#options.direction === 'request' ? [before, after] : [after, before];
  }
}

function alternatives({ oneOf, anyOf }: Schema): readonly Schema[] | undefined {
  return oneOf ?? anyOf;
}

/** Undefined if any value is possible. */
function valuesOf(schema: Schema): readonly unknown[] | undefined {
  return schema.const === undefined ? schema.enum : [schema.const];
}

function typesOf({ type }: Schema): readonly string[] {
  if (type === undefined) return ['anything'];
  return typeof type === 'string' ? [type] : type;
}

function acceptsType(known: readonly string[], type: string): boolean {
  return (
    known.includes(type) || known.includes('anything') || (type === 'integer' && known.includes('number'))
  );
}

function nameOf(ref: string): string {
  return ref.split('/').at(-1)!;
}
