import { ERROR_DETAILS } from '@larder/core/error-details.ts';
import type { ErrorCode } from '@larder/core/errors.ts';
import { z } from 'zod';
import { ERROR_STATUS } from '../server/error-response.ts';
import { OAUTH_ERROR_STATUS } from '../server/oauth-error.ts';

const CODES = Object.keys(ERROR_DETAILS) as ErrorCode[];
const errorCode = z.enum(CODES).meta({ id: 'ErrorCode' });

const anyDetails = z
  .record(z.string(), z.unknown())
  .describe('Facts for a program; empty when there are none.');
const plainError = bodyOf({ body: 'ApiError', info: 'ApiErrorInfo', details: anyDetails });
/** The body of a refused token request. */
export const oauthErrorSchema = z
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
export function errorSchemaOf(codes: readonly ErrorCode[]): z.ZodType {
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

export function toPascalCase(code: ErrorCode): string {
  return `_${code}`.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
