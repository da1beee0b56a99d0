import type { IncomingHttpHeaders } from 'node:http';
import { AppError, type DetailsOf } from '@larder/core/errors.ts';
import type { z } from 'zod';
import { aboutValue, issueText } from './issue-text.ts';
import { likelyName, shortName, unknownParameterText } from './likely-name.ts';
import type { FieldsSchema, JsonBody, Operation } from './operation.ts';

/** The unvalidated parts of a request. */
export interface RawRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON or form; undefined if the request has no body. */
  readonly body: unknown;
}

/** The parts of a request as parsed by the operation's schemas. */
export interface ValidRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

const NO_FIELDS = {};
const MAX_NAMED_FIELDS = 20;

/**
 * Makes the function that parses requests for an operation by its schemas. It throws an AppError for the
 * first invalid part; a schema may also throw an error of its own.
 */
export function createValidation({
  params,
  query,
  headers,
  body,
  tag,
}: Pick<Operation<never>, 'params' | 'query' | 'headers' | 'body' | 'tag'>): (
  raw: RawRequest,
) => ValidRequest {
  const queryNames = query === undefined ? [] : Object.keys(shapeOf(query));
  const isKnown = new Set(queryNames);
  const headerNames = Object.keys(headers === undefined ? NO_FIELDS : shapeOf(headers));
  /** A query with arbitrary parameters rejects unknown ones itself; misspelt ones are rejected here. */
  const takesMore = query !== undefined && objectOf(query).def.catchall !== undefined;
  const refuseUnknown = (name: string, given: RawRequest['query']) => {
    const likely = likelyName(name, queryNames);
    if (takesMore && (likely === undefined || given[likely] !== undefined)) return;
    throw invalidParameter(shortName(name), unknownParameterText(name, queryNames));
  };
  return (raw) => {
    // Addresses outside the API have parameters of other systems, such as signatures.
    if (tag !== undefined)
      for (const name in raw.query) if (!isKnown.has(name)) refuseUnknown(name, raw.query);
    return {
      params: params === undefined ? NO_FIELDS : readFields(params, raw.params, invalidField),
      query: query === undefined ? NO_FIELDS : readFields(query, raw.query, invalidParameter),
      body:
        body === undefined || body === 'raw' || 'file' in body
          ? raw.body
          : readBody(body.schema, raw.body === undefined && body.optional === true ? {} : raw.body),
      headers:
        headers === undefined
          ? NO_FIELDS
          : readFields(headers, pickHeaders(raw.headers, headerNames), invalidHeader),
    };
  };
}

/** The fields that a schema declares. */
export function shapeOf(schema: FieldsSchema): z.ZodObject['shape'] {
  return objectOf(schema).shape;
}

function objectOf(schema: FieldsSchema): z.ZodObject {
  return 'shape' in schema ? schema : schema.in;
}

function pickHeaders(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, headers[name.toLowerCase()]]));
}

/** Parses the fields by the schema; `refuse` makes the error for the first invalid one. */
function readFields(
  schema: z.ZodType,
  fields: Readonly<Record<string, unknown>>,
  refuse: (name: string, message: string) => AppError,
): unknown {
  const read = schema.safeParse(fields, { error: issueText });
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  const name = String(path[0]);
  throw refuse(name, Array.isArray(fields[name]) ? `Give "${name}" once.` : toSentence(name, message));
}

function invalidField(name: string, message: string): AppError {
  return new AppError({ code: 'invalid_request', message, details: { fields: [name] } });
}

function invalidParameter(parameter: string, message: string): AppError {
  return new AppError({ code: 'invalid_query', message, details: { parameter } });
}

/**
 * The error as `invalid_query` if the field that it names is a parameter of the query, which rules beyond the schemas check by the names
 * of fields.
 */
export function aboutQuery(
  error: AppError,
  { query, body }: Pick<Operation<never>, 'query' | 'body'> = {},
): AppError {
  if (error.code !== 'invalid_request' || query === undefined) return error;
  const { fields: [parameter] = [], maxDays } = error.details as DetailsOf<'invalid_request'>;
  const hasFields = body !== undefined && body !== 'raw' && 'schema' in body;
  if (hasFields || parameter === undefined || !(parameter in shapeOf(query))) return error;
  return new AppError({
    code: 'invalid_query',
    message: error.message,
    details: { parameter, ...(maxDays !== undefined && { maxDays }) },
    cause: error,
  });
}

function invalidHeader(header: string, message: string): AppError {
  return new AppError({ code: 'invalid_request', message, details: { header } });
}

/** Parses the body by the schema. Throws `invalid_request`, naming the first fields that are wrong or unknown. */
export function readBody<Schema extends z.ZodType>(
  schema: JsonBody<Schema>['schema'],
  body: unknown,
  what: 'body does' | 'arguments do' | 'food does' = 'body does',
): z.output<Schema> {
  const ofForm = typeof schema === 'function' ? schema(body) : schema;
  const read = ofForm.safeParse(body, { error: issueText });
  if (read.success) return read.data;
  const problems = issuesOf(read.error)
    .slice(0, MAX_NAMED_FIELDS)
    .flatMap(toProblems)
    .slice(0, MAX_NAMED_FIELDS);
  // A misspelt name explains why a field is missing.
  const { message } = problems.find(({ isSlip }) => isSlip) ?? problems[0]!;
  throw new AppError({
    code: 'invalid_request',
    message: `The ${what} not fit: ${message}.`,
    details: { fields: [...new Set(problems.map(({ field }) => field))] },
  });
}

/** Replaces the issue of a union by the issues of the variant that the value resembles. */
function issuesOf({ issues }: { readonly issues: readonly z.core.$ZodIssue[] }): z.core.$ZodIssue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union') return [issue];
    const likely =
      issue.errors.find(([first]) => first!.path.length > 0 || first!.code !== 'invalid_type') ??
      (issue.path.length === 0 ? issue.errors[0] : undefined);
    if (likely === undefined) return [issue];
    return issuesOf({ issues: likely }).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
  });
}

interface Problem {
  readonly field: string;
  readonly message: string;
  /** An unknown field whose name resembles that of a known one. */
  readonly isSlip: boolean;
}

function toProblems(issue: z.core.$ZodIssue): Problem[] {
  const field = issue.path.reduce<string>(toField, '');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_NAMED_FIELDS).map((key, index) => {
      const unknown = toField(field, shortName(key));
      // The message describes the first of them.
      const isSlip = index === 0 && issue.message !== '';
      return { field: unknown, message: `there is no field "${unknown}"${issue.message}`, isSlip };
    });
  }
  const message = field === '' ? bodyText(issue.message) : aboutValue(field, issue.message);
  return [{ field, message, isSlip: false }];
}

/** Messages of schemas are complete sentences; those of `issueText` follow the name. */
function toSentence(name: string, message: string): string {
  const text = aboutValue(name, message);
  return text.startsWith(`"${name}": `) ? message : `${text}.`;
}

function bodyText(message: string): string {
  return message === 'is missing'
    ? 'it is missing'
    : message.replace(/^(?:has to be|must not|says)/, 'it $&');
}

/** `[2].fat`, `ingredients[0].unit` */
function toField(before: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${before}[${key}]`;
  return before === '' ? String(key) : `${before}.${String(key)}`;
}
