import type { z } from 'zod';
import {
  type FieldsSchema,
  type FileBody,
  isCallerAccess,
  type JsonBody,
  type OperationDeclaration,
} from '../../api/operation.ts';
import { shapeOf } from '../../api/validation.ts';
import { isRepeatable } from '../server/idempotency.ts';
import { describeHeaders, HEADERS } from './answer-headers.ts';
import type { ApiVariant } from './document-files.ts';
import { describeErrors } from './error-responses.ts';
import { SchemaCollector } from './schema-collector.ts';

const JSON_TYPE = 'application/json';
const JSON_LD_TYPE = 'application/ld+json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

const LICENSE = { name: 'MIT', identifier: 'MIT' };
const RULES = 'Every error has the same body. Unknown query parameters are refused.';

const INFO = {
  versioned: {
    title: 'Larder',
    summary: 'Food search, barcodes, photo scans and a diary.',
    description:
      `Paths under \`/v1\` take \`Authorization: Bearer <key>\`. ${RULES} ` +
      'The unversioned paths are in `/openapi-unversioned.json`.',
    license: LICENSE,
  },
  unversioned: {
    title: 'Larder, unversioned paths',
    summary: 'Food search, barcodes and photo scans, for programs that already speak these paths.',
    description:
      `Paths without a prefix take \`x-api-key: <key>\`. ${RULES} ` +
      'They stay as they are; the API that grows is in `/openapi.json`.',
    license: LICENSE,
  },
} satisfies Record<ApiVariant, object>;

const DELIVERIES = 'Deliveries';
const TAGS = [
  { name: 'Foods', description: 'Search and barcodes, versioned variant.' },
  { name: 'Foods (unversioned)', description: 'Search and barcodes, unversioned variant.' },
  { name: 'Scans', description: 'From a photo to foods and macros, versioned variant.' },
  { name: 'Scans (unversioned)', description: 'From a photo to foods and macros, unversioned variant.' },
  {
    name: 'Diary',
    description: 'What users ate, their recipes, goals, measurements, saved meals, favourites and settings.',
  },
  { name: 'Webhooks', description: 'Addresses that are told of what happens.' },
  { name: DELIVERIES, description: 'Requests that webhooks get.' },
  { name: 'Access', description: 'Access tokens and API keys.' },
  { name: 'People', description: 'The people of a household, who use the page.' },
  { name: 'Operations', description: 'Health and metrics.' },
  { name: 'Operator', description: 'All tenants: imports, backups, scans, sessions and events.' },
];

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or an access token.' },
  'x-api-key': { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key.' },
  basic: { type: 'http', scheme: 'basic', description: 'Any name, and an API key as the password.' },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Identifies this request. If it is repeated within 24 hours, the service returns the first response and does nothing twice.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  example: '0b0e3e9c-8a52-4a5e-9d40-6f0f3a2d8a11',
};

/** A request that the service sends to webhooks. */
interface Delivery {
  readonly event: string;
  /** Name of the body. */
  readonly id: string;
  readonly summary: string;
  readonly body: z.ZodType;
  readonly example: object;
}

const TIME_OF_EXAMPLE = '2026-01-31T12:30:00.000Z';

/** The headers of Standard Webhooks, by which receivers verify deliveries. */
const SIGNATURE_HEADERS = {
  'webhook-id': 'The same in all attempts of a delivery.',
  'webhook-timestamp': 'When this attempt was signed, in Unix seconds.',
  'webhook-signature':
    '`v1,` and the HMAC-SHA256 of id, timestamp and body; several with spaces between them.',
};

function describeDelivery({ event, id, summary, body, example }: Delivery, schemas: SchemaCollector) {
  const data = { type: event, timestamp: TIME_OF_EXAMPLE, data: example };
  return {
    // Not the tag of the operations on webhooks: openapi-generator writes these over the operations of their tag.
    tags: [DELIVERIES],
    operationId: `receive${id}`,
    summary,
    security: [],
    parameters: Object.entries(SIGNATURE_HEADERS).map(([name, description]) => ({
      ...{ name, in: 'header', required: true, description },
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { [JSON_TYPE]: { schema: schemas.toSchema(body), example: data } },
    },
    responses: {
      '2XX': { description: 'Received.' },
      410: { description: 'Nobody is here any more: the webhook is disabled.' },
      default: { description: 'Not received: it is sent again.' },
    },
  };
}

interface Described {
  readonly variant: ApiVariant;
  readonly version: string;
  readonly operations: readonly OperationDeclaration[];
  readonly deliveries: readonly Delivery[];
}

/** The OpenAPI 3.1 document of the operations with a tag, derived from their declarations only. */
export function describeApi({ variant, version, operations, deliveries }: Described) {
  const schemas = new SchemaCollector();
  const errors: Record<string, object> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const declared of operations) {
    if (declared.tag === undefined) continue;
    const path = declared.path.replaceAll(/:(\w+)/g, '{$1}');
    const described = describeOperation(declared, schemas, errors);
    paths[path] = { ...paths[path], [declared.method.toLowerCase()]: described };
  }
  const pathItems = Object.fromEntries(
    operations.flatMap(({ addresses = {} }) =>
      Object.entries(addresses).map(([name, { description, schema }]) => {
        const content = { [JSON_TYPE]: { schema: schemas.toSchema(schema) } };
        const responses = {
          200: { description, content },
          403: { description: 'The signed URL has expired.' },
        };
        return [name, { get: { operationId: `read${name}`, summary: description, security: [], responses } }];
      }),
    ),
  );
  const webhooks = Object.fromEntries(
    deliveries.map((delivery) => [delivery.event, { post: describeDelivery(delivery, schemas) }]),
  );
  const responses = Object.fromEntries(Object.entries(errors).sort(([a], [b]) => (a < b ? -1 : 1)));
  const tags = new Set([...operations.map(({ tag }) => tag), ...deliveries.map(() => DELIVERIES)]);
  const text = JSON.stringify({ paths, responses });
  const used = <Value>(all: Readonly<Record<string, Value>>, sign: (name: string) => string) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(sign(name))));
  return {
    openapi: '3.1.0',
    info: { ...INFO[variant], version },
    servers: [{ url: '/' }],
    tags: TAGS.filter(({ name }) => tags.has(name)),
    paths,
    ...(deliveries.length > 0 && { webhooks }),
    components: {
      pathItems,
      schemas: schemas.components(),
      responses,
      headers: used(HEADERS, (name) => `"#/components/headers/${name}"`),
      securitySchemes: used(SECURITY_SCHEMES, (name) => `{"${name}":[]}`),
    },
  };
}

function describeOperation(
  declared: OperationDeclaration,
  schemas: SchemaCollector,
  errors: Record<string, object>,
) {
  const {
    id,
    tag,
    summary,
    description,
    access,
    params,
    query,
    headers,
    body,
    answer,
    leadsTo = [],
  } = declared;
  for (const schema of leadsTo) schemas.toSchema(schema);
  return {
    tags: [tag],
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    security: securityOf(access),
    parameters: [
      ...parameters('path', params, schemas),
      ...parameters('query', query, schemas),
      ...parameters('header', headers, schemas),
      ...(isRepeatable(declared) ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(typeof body === 'object' && {
      requestBody: 'file' in body ? describeFile(body) : describeBody(body, schemas),
    }),
    responses: {
      [answer.status ?? 200]: describeAnswer(declared, schemas),
      ...(answer.known && { 200: { ...describeAnswer(declared, schemas), description: answer.known } }),
      ...describeEmpty(declared),
      ...describeErrors(declared, schemas, errors),
    },
  };
}

/** A token request without HTTP Basic has the key in its body. */
function securityOf(access: OperationDeclaration['access']): readonly object[] {
  if (!isCallerAccess(access)) return [];
  return access.credential === 'client-secret' ? [{ basic: [] }, {}] : [{ [access.credential]: [] }];
}

function describeFile({ file, sample, limit }: FileBody) {
  const contentOf = (type: string) => ({
    // A JSON file is a list of records.
    schema: type === JSON_TYPE ? { type: 'array', items: { type: 'object' } } : { type: 'string' },
    ...(type !== JSON_TYPE && { example: sample }),
  });
  return {
    description: `At most ${limit} bytes.`,
    required: true,
    content: Object.fromEntries(file.map((type) => [type, contentOf(type)])),
  };
}

function describeBody(body: JsonBody, schemas: SchemaCollector) {
  const { schema, described = schema, example, limit, optional, form, jsonLd } = body;
  if (typeof described === 'function') throw new Error('a body of several forms has to be described');
  const content = { schema: schemas.toSchema(described, 'input'), example };
  const linked = jsonLd && { schema: schemas.toSchema(jsonLd.schema, 'input'), example: jsonLd.example };
  return {
    description: `At most ${limit} bytes.`,
    required: optional !== true,
    // Client generators use only the first type.
    content: {
      [JSON_TYPE]: content,
      ...(form && { [FORM_TYPE]: content }),
      ...(linked && { [JSON_LD_TYPE]: linked }),
    },
  };
}

function describeAnswer(declared: OperationDeclaration, schemas: SchemaCollector) {
  const { answer, query } = declared;
  const { status, description, schema, example, contentType = JSON_TYPE, alsoAs = {} } = answer;
  const headers = describeHeaders(
    ...(answer.headers ?? []),
    ...(query !== undefined && 'limit' in shapeOf(query) ? (['Limit-Applied'] as const) : []),
    ...(isRepeatable(declared) ? (['Idempotency-Replayed'] as const) : []),
  );
  if (status === 204) return { description, headers };
  const content = {
    schema: schema === undefined ? { type: 'string' } : schemas.toSchema(schema),
    ...(example === undefined ? {} : { example }),
  };
  const others = Object.entries(alsoAs).map(([type, text]) => [
    type,
    { schema: { type: 'string' }, example: text },
  ]);
  return { description, headers, content: { [contentType]: content, ...Object.fromEntries(others) } };
}

function describeEmpty({ empty = {}, answer }: OperationDeclaration) {
  const answers = Object.entries(empty).map(([status, description]) => {
    // RFC 9110, 15.4.5: a 304 has the ETag that a 200 would have had.
    const headers = describeHeaders(...(status === '304' ? (answer.headers ?? []) : []));
    return [status, { description, headers }];
  });
  return Object.fromEntries(answers);
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
}

function parameters(
  location: 'path' | 'query' | 'header',
  fields: FieldsSchema | undefined,
  schemas: SchemaCollector,
) {
  if (fields === undefined) return [];
  const { properties = {}, required = [] } = schemas.toSchema(fields, 'input') as ObjectSchema;
  return Object.entries(properties).map(([name, { description, example, ...schema }]) => ({
    name,
    in: location,
    required: required.includes(name),
    description,
    schema,
    example,
  }));
}
