/** The used part of JSON Schema. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** Resolves a reference in its document. */
export function follow<T>(document: object, pointer: string): T {
  const steps = pointer.slice('#/'.length).split('/');
  return steps.reduce<unknown>(
    (value, step) => (value as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  ) as T;
}

/** Keeps only annotations, which are beside references and in `allOf`. */
function saysNothing(schema: Schema): boolean {
  return Object.keys(schema).every((key) => ['description', 'default', 'example', 'title'].includes(key));
}

/** The schema itself, without references and `allOf` around it; `refs` are the resolved ones. */
export function resolve(document: object, schema: Schema): { schema: Schema; refs: readonly string[] } {
  const refs: string[] = [];
  let resolved = schema;
  for (;;) {
    if (resolved.$ref !== undefined) {
      refs.push(resolved.$ref);
      resolved = follow<Schema>(document, resolved.$ref);
    } else if (resolved.allOf !== undefined) {
      const parts = resolved.allOf.filter((part) => !saysNothing(part));
      if (parts.length !== 1) throw new Error('`allOf` of several schemas is not compared.');
      resolved = parts[0]!;
    } else return { schema: resolved, refs };
  }
}
