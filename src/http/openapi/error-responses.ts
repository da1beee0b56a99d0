import { ERROR_DETAILS, NOT_FOUND } from '@larder/core/error-details.ts';
import { AppError, type ErrorCode, type InitOf } from '@larder/core/errors.ts';
import { z } from 'zod';
import { isCallerAccess, type OperationDeclaration } from '../../api/operation.ts';
import { bodyLimitText, bodyTooLarge } from '../server/connection/body.ts';
import { ERROR_STATUS, errorBody } from '../server/error-response.ts';
import { isRepeatable } from '../server/idempotency.ts';
import { isTokenAddress, OAUTH_CODES, OAUTH_ERROR_STATUS } from '../server/oauth-error.ts';
import { describeHeaders } from './answer-headers.ts';
import type { SchemaCollector } from './schema-collector.ts';

const CODES = Object.keys(ERROR_DETAILS) as ErrorCode[];
const errorCode = z.enum(CODES).meta({ id: 'ErrorCode' });

const anyDetails = z
  .record(z.string(), z.unknown())
  .describe('Facts for a program; empty when there are none.');
const plainError = bodyOf({ body: 'ApiError', info: 'ApiErrorInfo', details: anyDetails });
/** The body of a refused token request. */
const oauthErrorSchema = z
  .object({
    error: z.string().describe(`One of ${Object.keys(OAUTH_ERROR_STATUS).join(', ')}.`),
    error_description: z.string().optional().describe('For a person; may change.'),
  })
  .meta({ id: 'OAuthError', description: 'The error of a token request (RFC 6749, 5.2).' });

/** One schema for each name, because names are unique in the document. */
const made = new Map<string, z.ZodType>();

/**
 * The body of a response that has one of these codes, which share a status. A union by code would be exact, but Go's clients
 * cannot tell its members apart. So a response with several codes has the details of all codes of its status, each optional.
 */
function errorSchemaOf(codes: readonly ErrorCode[]): z.ZodType {
  const [code] = codes as [ErrorCode];
  const status = ERROR_STATUS[code];
  if (codes.length === 1) {
    const name = toPascalCase(code);
    const ids = { body: `${name}Error`, info: `${name}Info`, details: `${name}Details` };
    return namedError(ids, () => ERROR_DETAILS[code]);
  }
  const ids = {
    body: `ApiError${status}`,
    info: `ApiErrorInfo${status}`,
    details: `ApiErrorDetails${status}`,
  };
  return namedError(ids, () => merged(CODES.filter((each) => ERROR_STATUS[each] === status)));
}

function namedError(ids: Record<keyof ErrorParts, string>, detailsOf: () => z.ZodObject): z.ZodType {
  const known = made.get(ids.body);
  if (known !== undefined) return known;
  const details = detailsOf();
  const hasDetails = Object.keys(details.shape).length > 0;
  const schema = hasDetails ? bodyOf({ ...ids, details: details.meta({ id: ids.details }) }) : plainError;
  made.set(ids.body, schema);
  return schema;
}

/** Names of schemas, and the schema of details. */
interface ErrorParts {
  readonly body: string;
  readonly info: string;
  readonly details: z.ZodType;
}

function bodyOf({ body, info, details }: ErrorParts): z.ZodType {
  const error = z.object({
    code: errorCode,
    message: z.string().describe('For a person; may change.'),
    requestId: z.string().describe('Equals the `X-Request-Id` header.'),
    details,
  });
  return z
    .object({ error: error.meta({ id: info }) })
    .meta({ id: body, description: 'The body of an error.' });
}

/** The details of all these codes; if only one code has a field, its description says so. */
function merged(codes: readonly ErrorCode[]): z.ZodObject {
  const shapes = codes.map((code) => [code, ERROR_DETAILS[code].shape as z.core.$ZodLooseShape] as const);
  const names = new Set(shapes.flatMap(([, shape]) => Object.keys(shape)));
  const fields = [...names].map((name) => {
    const having = shapes.filter(([, shape]) => name in shape);
    const [code, shape] = having[0]!;
    const field = shape[name] as z.ZodType;
    const of = having.length === 1 ? `With \`${code}\`. ` : '';
    return [name, field.optional().describe(`${of}${field.description ?? ''}`.trim())];
  });
  return z.object(Object.fromEntries(fields));
}

function toPascalCase(code: ErrorCode): string {
  return `_${code}`.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const EXAMPLE_REQUEST_ID = '5b0c4fd2-5c1e-4d0a-9f37-0d6f3f7d1c55';

/** One sentence for each code that the document shows. */
const EXAMPLES: { readonly [Code in ErrorCode]?: Omit<InitOf<Code>, 'code'> } = {
  invalid_query: {
    message: '"limit" has to be a whole number from 1; more than 100 is taken as 100.',
    details: { parameter: 'limit' },
  },
  invalid_barcode: { message: 'A barcode has 6 to 14 digits.' },
  barcode_not_found: {
    message: 'No food has this barcode.',
    details: { candidates: ['03017620422003'], known: { name: 'Hazelnut spread', brand: 'Example Brand' } },
  },
  not_found: { message: 'There is nothing at this address; see /docs.' },
  ...Object.fromEntries(
    Object.entries(NOT_FOUND).map(([kind, message]) => [`${kind}_not_found`, { message }]),
  ),
  version_conflict: {
    message: 'It has been changed in the meantime; read it again and repeat the change.',
  },
  invalid_request: { message: 'The Host header is missing.' },
  invalid_api_key: { message: 'The API key is not valid.' },
  expired_api_key: {
    message: 'The API key has expired; ask whoever runs this service for a new one.',
    details: { expiredAt: '2026-01-01T00:00:00.000Z' },
  },
  invalid_token: { message: 'The access token is not valid.' },
  expired_token: { message: 'The access token has expired; ask for a new one.' },
  conflict: { message: 'It is in a state that does not allow this.' },
  idempotency_conflict: { message: 'This Idempotency-Key was used with another request.' },
  unsupported_media_type: { message: 'The body has to be JSON; send "Content-Type: application/json".' },
  unresolved_items: {
    message:
      'No food is found for "100 g xqzvw"; say it in other words, or leave it out with "partial": true.',
    details: {
      items: [{ index: 0, start: 6, end: 11, text: '100 g xqzvw', unresolved: 'food', candidates: [] }],
    },
  },
  forbidden: {
    message: 'This needs the scope foods:read, which the credential does not have.',
    details: { scope: 'foods:read' },
  },
  rate_limit_exceeded: { message: 'Too many requests; wait 12 seconds.', details: { retryAfter: 12 } },
  internal_error: {
    message: 'Something went wrong on our side; the request id finds it in the logs.',
  },
  unavailable: { message: 'The service is stopping; try again in a moment.' },
  confirmation_required: {
    message:
      'Confirm that it is you: send the password to POST /v1/session/confirm, or sign in again; then repeat this.',
    details: { methods: ['password'], maxAgeSeconds: 300 },
  },
  quota_exceeded: {
    message:
      'This tenant has 10,000 custom foods, as many as it may have; delete some, or ask the operator for more.',
    details: { quota: 'custom_foods', limit: 10_000, used: 10_000 },
  },
  storage_full: { message: 'The disk of the service is almost full; try again later.' },
};

const TITLES: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  401: 'The credential is missing, unknown or expired.',
  403: 'The credential does not allow this, or a quota is used up.',
  404: 'Not found.',
  409: 'The Idempotency-Key was used with another request.',
  412: 'The version of If-Match is not current.',
  415: 'The body has to be JSON, uncompressed.',
  422: 'Something in the text cannot be resolved; nothing is written.',
  429: 'Too many requests.',
  500: 'A fault of the service.',
  503: 'The service is starting or stopping, or cannot reach its database or store.',
  507: 'The disk of the service is almost full.',
};

/**
 * References to the error responses of an operation, by status: its own codes and those of every operation.
 * The responses are added to `responses`, because operations share most of them.
 */
export function describeErrors(
  declared: OperationDeclaration,
  schemas: SchemaCollector,
  responses: Record<string, object>,
) {
  const { body, errors = [] } = declared;
  const isOAuth = isTokenAddress(declared);
  const codes = [...errors, ...sharedCodes(declared)].filter((code) => !(isOAuth && code in OAUTH_CODES));
  const maxBytes = typeof body === 'object' ? body.limit : 0;
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))].sort((a, b) => a - b);
  const own = Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = [...new Set(codes.filter((code) => ERROR_STATUS[code] === status))];
      const headers = errorHeaders(status, declared);
      const name = responseName(ofStatus, headers, maxBytes);
      responses[name] ??= {
        description: TITLES[status] ?? bodyLimitText(maxBytes),
        headers,
        content: {
          'application/json': {
            schema: schemas.toSchema(errorSchemaOf(ofStatus)),
            examples: Object.fromEntries(ofStatus.map((code) => [code, toExample(code, maxBytes)])),
          },
        },
      };
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
  return isOAuth ? { ...describeOAuthErrors(schemas, responses), ...own } : own;
}

const OAUTH_TITLES = { 400: TITLES[400], 401: 'The key is missing or not valid.' };

/** References to the responses of RFC 6749, 5.2. */
function describeOAuthErrors(schemas: SchemaCollector, responses: Record<string, object>) {
  const of = Object.entries(OAUTH_ERROR_STATUS);
  return Object.fromEntries(
    Object.entries(OAUTH_TITLES).map(([status, description]) => {
      const name = `OAuthError${status}`;
      const codes = of.flatMap(([code, its]) => (String(its) === status ? [code] : []));
      responses[name] = {
        description,
        headers: describeHeaders(...(status === '401' ? (['WWW-Authenticate'] as const) : [])),
        content: {
          'application/json': {
            schema: schemas.toSchema(oauthErrorSchema),
            examples: Object.fromEntries(codes.map((error) => [error, { value: { error } }])),
          },
        },
      };
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** Names a response by everything that it depends on. */
function responseName(codes: readonly ErrorCode[], headers: object, maxBytes: number): string {
  const limit = codes.includes('payload_too_large') && maxBytes > 0 ? maxBytes : '';
  const replayed = 'Idempotency-Replayed' in headers ? 'Replayable' : '';
  return `${codes.map(toPascalCase).join('Or')}${limit}${replayed}`;
}

function sharedCodes(declared: OperationDeclaration): readonly ErrorCode[] {
  const { method, access, body } = declared;
  const repeat = isRepeatable(declared) ? (['idempotency_conflict'] as const) : [];
  const always = [
    'invalid_query',
    'invalid_request',
    // A body of GET is ignored.
    ...(method === 'GET' ? [] : (['payload_too_large', 'storage_full'] as const)),
    ...(body === undefined ? [] : (['unsupported_media_type'] as const)),
    ...repeat,
    'rate_limit_exceeded',
    'internal_error',
    'unavailable',
  ] as const;
  if (!isCallerAccess(access)) return always;
  const key = ['invalid_api_key', 'expired_api_key'] as const;
  if (access.credential === 'bearer')
    return [...key, 'invalid_token', 'expired_token', 'forbidden', ...always];
  return access.credential === 'x-api-key' ? [...key, 'forbidden', ...always] : [...key, ...always];
}

function toExample(code: ErrorCode, maxBytes: number) {
  const error =
    code === 'payload_too_large'
      ? bodyTooLarge(maxBytes)
      : AppError.remade({ code, message: code, details: {}, ...EXAMPLES[code] });
  return { value: JSON.parse(errorBody(error, EXAMPLE_REQUEST_ID)) };
}

function errorHeaders(status: number, declared: OperationDeclaration) {
  if (status === 401) return describeHeaders('WWW-Authenticate');
  if (status === 429 || status === 503) return describeHeaders('Retry-After');
  // Errors of the operation itself are stored for a repetition like its other responses.
  return isRepeatable(declared) && status < 500 ? describeHeaders('Idempotency-Replayed') : describeHeaders();
}
