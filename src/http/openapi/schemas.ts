import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ERROR_CODES } from '../../errors.ts';

type JsonSchema = Record<string, unknown>;

export const errorSchema = z
  .object({
    error: z.object({
      code: z.enum(ERROR_CODES),
      message: z.string().describe('For a person; may change.'),
      requestId: z.string().describe('The same as in X-Request-Id.'),
      details: z.record(z.string(), z.unknown()).describe('Facts for a program; empty when there are none.'),
    }),
  })
  .meta({ id: 'ApiError', description: 'The body of every error.' });

/** Turns zod schemas into JSON schemas; those that have an id become components, and references to them. */
export class SchemaCollector {
  readonly #components: Record<string, JsonSchema> = {};

  /** `input` for what clients send: there a field with a default may be absent, in an answer it never is. */
  toSchema(schema: z.ZodType, io: 'input' | 'output' = 'output'): JsonSchema {
    // Inside an object, so that a schema with an id comes out as a reference like any other.
    const { properties, $defs } = z.toJSONSchema(z.object({ it: schema }), { io, override: adjust });
    for (const [id, definition] of Object.entries($defs ?? {})) this.#add(id, toComponent(definition));
    return toComponent(properties!['it'] as JsonSchema);
  }

  #add(id: string, component: JsonSchema): void {
    const known = this.#components[id];
    if (known !== undefined && !isDeepStrictEqual(known, component))
      throw new Error(`the schema ${id} means one thing in bodies and another in answers: give it two ids`);
    this.#components[id] = component;
  }

  /** In alphabetical order, so that the document does not depend on who was first. */
  components(): Record<string, JsonSchema> {
    return Object.fromEntries(Object.entries(this.#components).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

function toComponent({ id: _id, ...schema }: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'), withNullType);
}

/** `anyOf` with null as `type: [..., "null"]`, which generators of clients understand. */
function withNullType(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { anyOf, ...rest } = value as JsonSchema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== 'null') return value;
  const { type, ...some } = anyOf[0] as JsonSchema;
  return typeof type === 'string' ? { ...some, ...rest, type: [type, 'null'] } : value;
}

function adjust({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  // Zod bounds integers by what a double can hold, which tells a client nothing.
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  // It leaves out the default of what is transformed.
  const byDefault = z.globalRegistry.get(zodSchema)?.['default'];
  if (byDefault !== undefined) jsonSchema['default'] = byDefault;
}
