import type { Schema } from './schema-values.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, object>>;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: {
      readonly 'application/json'?: { readonly schema: Schema; readonly example: unknown };
    };
  };
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, object>>;
  };
}

/** One operation of the API document. */
export interface Operation {
  /** As in `get /v1/foods/{id}`. */
  readonly name: string;
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly schema: Schema; readonly example: unknown; readonly required: boolean };
  /** Header of the credential; undefined for operations that need none in a header. */
  readonly credential?: 'bearer' | 'x-api-key';
}

/** The operations of the document, without those that take other files than JSON. */
export function operationsOf({ paths }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, security, parameters = [], requestBody }]) => {
      const [credential] = Object.keys(security[0] ?? {});
      const json = requestBody?.content['application/json'];
      if (requestBody !== undefined && json === undefined) return [];
      return {
        name: `${method} ${path}`,
        id: operationId,
        method: method.toUpperCase(),
        path,
        parameters,
        ...(json !== undefined && { body: { ...json, required: requestBody!.required === true } }),
        ...(credential !== undefined && { credential: credential as 'bearer' | 'x-api-key' }),
      };
    }),
  );
}

export function resolver({ components }: ApiDocument): (reference: string) => Schema {
  return (reference) => components.schemas[reference.slice('#/components/schemas/'.length)]!;
}
