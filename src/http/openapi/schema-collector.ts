import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Variant } from '../../api/operation.ts';

type JsonSchema = Record<string, unknown>;

/** Converts zod schemas to JSON schemas; those with an id become components, and references to them. */
export class SchemaCollector {
  readonly #components: Record<string, JsonSchema> = {};
  /** Operations share most schemas, above all those of errors. */
  readonly #made = { input: new Map<z.ZodType, JsonSchema>(), output: new Map<z.ZodType, JsonSchema>() };

  /** `input` for request bodies: there a field with a default may be absent, in a response it never is. */
  toSchema(schema: z.ZodType, io: 'input' | 'output' = 'output'): JsonSchema {
    const made = this.#made[io].get(schema) ?? this.#make(schema, io);
    this.#made[io].set(schema, made);
    return made;
  }

  #make(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const override = io === 'input' ? adjust : adjustAnswer;
    // Inside an object, so that a schema with an id becomes a reference like any other.
    const { properties, $defs } = z.toJSONSchema(z.object({ it: schema }), { io, override });
    for (const [id, definition] of Object.entries($defs ?? {}))
      this.#add(id, this.#asUnion(toComponent(definition)));
    return toComponent(properties!['it'] as JsonSchema);
  }

  /**
   * An object with `variants` as the union of them: generators support unions of named objects, not rules
   * between fields.
   */
  #asUnion({ variants, ...component }: JsonSchema): JsonSchema {
    if (variants === undefined) return component;
    const { properties, required = [], description } = component;
    const oneOf = (variants as readonly Variant[]).map((variant) => {
      const own = Object.entries(properties as object).filter(([name]) => !variant.without.includes(name));
      this.#add(variant.id, {
        type: 'object',
        properties: Object.fromEntries(own),
        required: [...(required as readonly string[]), ...variant.required],
      });
      return { $ref: `#/components/schemas/${variant.id}` };
    });
    return { description, oneOf };
  }

  #add(id: string, component: JsonSchema): void {
    const known = this.#components[id];
    if (known !== undefined && !isDeepStrictEqual(known, component))
      throw new Error(`the schema ${id} means one thing in bodies and another in answers: give it two ids`);
    this.#components[id] = component;
  }

  /** Sorted, so that the document does not depend on the order of operations. */
  components(): Record<string, JsonSchema> {
    const members = membersOfUnions(this.#components);
    const described = Object.entries(this.#components).map(([id, { additionalProperties, ...rest }]) => {
      const isOpen =
        additionalProperties === undefined ||
        (additionalProperties === false && (members.has(id) || hasRenamedField(rest)));
      return [id, isOpen ? rest : { ...rest, additionalProperties }] as const;
    });
    return Object.fromEntries(described.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Members of unions are not closed: typescript-fetch omits closed objects from a union. */
function membersOfUnions(components: Record<string, JsonSchema>): Set<string> {
  const members = new Set<string>();
  JSON.stringify(components, (key, value) => {
    if (key === 'oneOf' || key === 'anyOf')
      for (const { $ref } of value) members.add($ref?.split('/').at(-1));
    return value;
  });
  return members;
}

/** Such as `user_id`: for a closed object typescript-fetch 7.14 also sends it as `userId`, which is rejected. */
function hasRenamedField({ properties = {} }: JsonSchema): boolean {
  return Object.keys(properties as object).some((name) => /[^a-z0-9]/i.test(name));
}

function toComponent({ id: _id, ...schema }: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'), plainUnion);
}

/**
 * `anyOf` of several types becomes `type: [...]`, such as `["string", "null"]`, and any other except one with
 * null becomes `oneOf`, because members exclude each other: client generators support that.
 */
function plainUnion(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { anyOf, ...rest } = value as JsonSchema;
  if (!Array.isArray(anyOf)) return withNull(value as JsonSchema);
  const types = anyOf.map(({ type }) => type);
  if (!types.includes(undefined)) return withNull({ ...Object.assign({}, ...anyOf), ...rest, type: types });
  return types.includes('null') ? value : { ...rest, oneOf: anyOf };
}

/** Without the mark, clients of openapi-generator 7.14 do not send null in optional fields. */
function withNull(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  return Array.isArray(type) && type.includes('null') ? { ...schema, 'x-nullable': true } : schema;
}

interface Override {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: JsonSchema;
}

function adjust({ zodSchema, jsonSchema }: Override): void {
  // Zod limits integers to the range of a double, which is useless for clients.
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  // Client generators turn a boolean constant into a text.
  if (typeof jsonSchema['const'] === 'boolean') delete jsonSchema['const'];
  // Python clients only match patterns with texts. A day remains a text: JavaScript would shift it by its
  // time zone.
  if (jsonSchema['format'] === 'date-time') delete jsonSchema['pattern'];
  if (jsonSchema['format'] === 'date') delete jsonSchema['format'];
  // Clients in Go read a union only by its discriminator.
  const discriminator = discriminatorOf(zodSchema);
  if (discriminator !== undefined) jsonSchema['discriminator'] = discriminator;
  // Zod omits the default of a transformed schema.
  const byDefault = z.globalRegistry.get(zodSchema)?.['default'];
  if (byDefault !== undefined) jsonSchema['default'] = byDefault;
}

function discriminatorOf(schema: z.core.$ZodTypes): JsonSchema | undefined {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return undefined;
  const { discriminator: propertyName, options } = schema.def;
  const mapping = (options as readonly z.ZodObject<Record<string, z.ZodLiteral<string>>>[]).map((option) => [
    option.shape[propertyName]!.value,
    `#/components/schemas/${z.globalRegistry.get(option)!.id}`,
  ]);
  return { propertyName, mapping: Object.fromEntries(mapping) };
}

/** Responses may get further fields, which current clients must ignore. */
function adjustAnswer(override: Override): void {
  adjust(override);
  if (override.jsonSchema['additionalProperties'] === false)
    delete override.jsonSchema['additionalProperties'];
}
