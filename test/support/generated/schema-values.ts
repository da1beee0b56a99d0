import fc from 'fast-check';

/** A JSON Schema, as far as the API document uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
}

export type Resolve = (reference: string) => Schema;

/** Longer lists only take longer. */
const MAX_ITEMS = 3;
const MAX_TEXT = 40;
const MAX_NUMBER = 1e9;

/** Values allowed by a schema, except for rules between fields: filter by a validator. */
export function valuesOf(schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valuesOf(resolve(schema.$ref), resolve);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) {
    const { oneOf: _one, anyOf: _any, ...rest } = schema;
    return fc.oneof(...choices.map((choice) => valuesOf(together(rest, choice), resolve)));
  }
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type: string) => valuesOf({ ...schema, type }, resolve)));
  }
  switch (schema.type) {
    case 'string':
      return texts(schema);
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? 0,
        max: Math.min(schema.maximum ?? MAX_NUMBER, MAX_NUMBER),
      });
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, resolve), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? MAX_ITEMS, MAX_ITEMS)),
      });
    case 'object':
      return objects(schema, resolve);
    case undefined:
      return fc.jsonValue({ maxDepth: 2 });
    default:
      throw new Error(`the generator does not know this schema: ${JSON.stringify(schema).slice(0, 200)}`);
  }
}

/** An object with one of its alternatives: its required fields are added, excluded ones removed. */
function together(base: Schema, choice: Schema): Schema {
  if (base.properties === undefined) return { ...base, ...choice };
  const refused = new Set((choice.not?.anyOf ?? []).flatMap(({ required = [] }) => required));
  const narrowed = Object.entries(choice.properties ?? {}).map(([name, field]) => [
    name,
    { ...base.properties?.[name], ...field },
  ]);
  const properties: Record<string, Schema> = { ...base.properties, ...Object.fromEntries(narrowed) };
  return {
    ...base,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !refused.has(name))),
    required: [...(base.required ?? []), ...(choice.required ?? [])],
  };
}

function texts({ pattern, format, minLength = 0, maxLength = MAX_TEXT }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((time) => time.toISOString());
  const bounds = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, MAX_TEXT)) };
  if (pattern === undefined) return fc.string({ unit: 'grapheme', ...bounds });
  const matches = new RegExp(pattern, 'u');
  const plain = fc
    .oneof(fc.constantFrom('banana', '1 cup', 'slice', 'g'), fc.string({ unit: 'grapheme', ...bounds }))
    .filter((text) => matches.test(text));
  // Hardly any random text matches a pattern, so texts are generated from it.
  const matching = fc.stringMatching(new RegExp(pattern), { maxLength: bounds.maxLength });
  return pattern.startsWith('^[^') || pattern.startsWith('^\\s*[^') ? plain : matching;
}

function numbers({ minimum, exclusiveMinimum, maximum = MAX_NUMBER }: Schema): fc.Arbitrary<number> {
  const min = minimum ?? exclusiveMinimum ?? -MAX_NUMBER;
  const isAllowed = (value: number) => value >= min && value !== exclusiveMinimum && value <= maximum;
  return fc
    .oneof(
      fc.constantFrom(0, 0.001, 1 / 3, 1, 1.0005, 12.5, 100, 250, maximum),
      fc.double({ min, max: maximum, noNaN: true }),
    )
    .filter(isAllowed);
}

function objects(schema: Schema, resolve: Resolve): fc.Arbitrary<object> {
  const { properties, propertyNames, additionalProperties, required = [] } = schema;
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? additionalProperties : { type: 'string' };
    const name = propertyNames === undefined ? fc.string() : valuesOf(propertyNames, resolve);
    return fc.dictionary(name as fc.Arbitrary<string>, valuesOf(value, resolve), { maxKeys: MAX_ITEMS });
  }
  const fields = Object.entries(properties).map(([name, field]) => [name, valuesOf(field, resolve)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...new Set(required)] as never[] });
}
