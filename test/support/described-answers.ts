import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** A response, independent of the way it was received. */
interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  json(): unknown;
}

interface DescribedAnswer {
  readonly $ref?: string;
  readonly headers?: object;
  readonly content?: Record<string, { readonly schema: unknown }>;
}
interface DescribedOperation {
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, DescribedAnswer>> };
}

/** Checks requests and responses against an OpenAPI document. Operations are named like `get /v1/foods/{id}`. */
export class DescribedAnswers {
  readonly #document: ApiDocument;
  /** For responses: the schema allows no other fields, although the document does. */
  readonly #closed = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  readonly #places = new Map<string, ValidateFunction>();
  readonly #schemas = new WeakMap<object, ValidateFunction>();

  constructor(document: ApiDocument) {
    this.#document = document;
    this.#ajv.addSchema(document, 'api', undefined, false);
    this.#closed.addSchema(closed(document), 'api', undefined, false);
  }

  /** Fields that the document does not describe in this response; empty if it is complete. */
  missingFor(name: string, answer: Answer): string[] {
    const [method, path] = name.split(' ') as [string, string];
    const status = String(answer.statusCode);
    const stated = this.#document.paths[path]?.[method]?.responses[status];
    if (stated === undefined) return [`${name} has no ${status}`];
    const shared = stated.$ref?.split('/').at(-1);
    const described = shared === undefined ? stated : this.#document.components.responses[shared]!;
    const place =
      shared === undefined
        ? ['paths', path, method, 'responses', status]
        : ['components', 'responses', shared];
    const headers = [
      'etag',
      'location',
      'link',
      'idempotency-replayed',
      'retry-after',
      'www-authenticate',
    ].filter(
      (header) =>
        answer.headers[header] !== undefined &&
        !Object.keys(described.headers ?? {}).some((known) => known.toLowerCase() === header),
    );
    return [
      ...headers.map((header) => `${name} ${status} has no header ${header}`),
      ...this.#missingForBody(place, described, answer),
    ];
  }

  /** Errors of this body by the document. */
  refusalsOf(name: string, body: unknown, type = 'application/json'): string[] {
    const [method, path] = name.split(' ') as [string, string];
    const place = ['paths', path, method, 'requestBody', 'content', type, 'schema'];
    return this.#refusals(this.#ajv, place, body);
  }

  /** Errors of a value by this schema of the document. */
  refusalsBy(schema: object, value: unknown): string[] {
    return this.#problems(this.#compiled(schema), value);
  }

  #missingForBody(place: string[], { content }: DescribedAnswer, answer: Answer): string[] {
    if (content === undefined) return answer.body === '' ? [] : [`${place.join(' ')} has no body`];
    const essence = (type: string) => type.split(';')[0]!;
    const answered = essence(String(answer.headers['content-type'] ?? ''));
    const type = Object.keys(content).find((known) => essence(known) === answered);
    if (type === undefined) return [`${place.join(' ')} is not described as "${answered}"`];
    // The schema is that of each message.
    if (answered === 'text/event-stream') return [];
    const body = answered === 'application/json' ? answer.json() : answer.body;
    return this.#refusals(this.#closed, [...place, 'content', type, 'schema'], body);
  }

  #refusals(ajv: Ajv2020, place: string[], value: unknown): string[] {
    const pointer = place.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')));
    const reference = `api#/${pointer.join('/')}`;
    const known = this.#places.get(reference) ?? ajv.compile({ $ref: reference });
    this.#places.set(reference, known);
    return this.#problems(known, value);
  }

  /** References of the document do not resolve in a separate schema. */
  #compiled(schema: object): ValidateFunction {
    const known = this.#schemas.get(schema);
    if (known !== undefined) return known;
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/');
    const validate = this.#ajv.compile(JSON.parse(text));
    this.#schemas.set(schema, validate);
    return validate;
  }

  #problems(validate: ValidateFunction, value: unknown): string[] {
    if (validate(value)) return [];
    return validate.errors!.map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}

interface DescribedObject {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, { readonly 'x-alias'?: string }>>;
}

/** The document with closed objects. */
function closed(document: ApiDocument): ApiDocument {
  return JSON.parse(JSON.stringify(document), (_key, value: DescribedObject | null) => {
    if (value?.type !== 'object' || value.properties === undefined) return value;
    const aliases = Object.values(value.properties).flatMap((field) => field['x-alias'] ?? []);
    const properties = { ...value.properties, ...Object.fromEntries(aliases.map((alias) => [alias, {}])) };
    return { additionalProperties: false, ...value, properties };
  });
}
