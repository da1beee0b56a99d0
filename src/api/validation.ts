import type { IncomingHttpHeaders } from 'node:http';
import { AppError, type DetailsOf } from '@larder/core/errors.ts';
import type { z } from 'zod';
import { likelyName, shortName, unknownParameterText } from './likely-name.ts';
import type { FieldsSchema, JsonBody, Operation } from './operation.ts';

type Issue = z.core.$ZodRawIssue;

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};
const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'a time such as 2026-07-14T12:30:00Z',
  date: 'a date such as 2026-07-14',
  url: 'an address such as https://example.com',
  email: 'an e-mail address',
  uuid: 'a UUID',
};

const NO_FORM = 'has none of the forms that are allowed here';

/**
 * Describes what is wrong with a value, in words that follow its name: "is missing", "has to be a number".
 * Undefined if the schema's own message is better.
 */
function issueText(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `has to be ${kindOf(issue.expected)}`;
    case 'invalid_value':
      if (issue.input === undefined) return 'is missing';
      return issue.values.length === 1
        ? `has to be ${JSON.stringify(issue.values[0])}`
        : `has to be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_format':
      return `has to be ${FORMATS[issue.format] ?? 'in the form that the documentation gives'}`;
    case 'unrecognized_keys':
      return suggestion(issue);
    case 'not_multiple_of':
      return `has to be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return issue.input === undefined ? 'is missing' : unionText(issue);
    case 'invalid_key':
    case 'invalid_element':
      return issue.input === undefined ? 'is missing' : NO_FORM;
    default:
      return undefined;
  }
}

/** Names the accepted types if no form of a union takes a value of this type. */
function unionText({ errors }: Extract<Issue, { code: 'invalid_union' }>): string {
  const kinds = errors.map(([first]) =>
    first?.code === 'invalid_type' && first.path.length === 0 ? kindOf(first.expected) : undefined,
  );
  if (kinds.length === 0 || kinds.includes(undefined)) return NO_FORM;
  return `has to be ${[...new Set(kinds)].join(' or ')}`;
}

/** A suggestion for the first unknown field, to follow its name; empty if no field has a similar name. */
function suggestion({ keys, inst }: Extract<Issue, { code: 'unrecognized_keys' }>): string {
  const { shape = {} } = (inst?._zod.def ?? {}) as { readonly shape?: object };
  const likely = likelyName(keys[0]!, Object.keys(shape));
  return likely === undefined ? '' : ` (did you mean "${likely}"?)`;
}

function kindOf(type: string): string {
  return KINDS[type] ?? type;
}

function tooSmall({ origin, minimum, inclusive, exact }: Extract<Issue, { code: 'too_small' }>): string {
  if (origin === 'string' || origin === 'array' || origin === 'set') {
    if (minimum === 1) return 'must not be empty';
    return `has to have ${exact === true ? 'exactly' : 'at least'} ${minimum} ${origin === 'string' ? 'characters' : 'items'}`;
  }
  return inclusive === false ? `has to be more than ${minimum}` : `has to be at least ${minimum}`;
}

function tooBig({ origin, maximum, inclusive }: Extract<Issue, { code: 'too_big' }>): string {
  if (origin === 'string') return `must not be longer than ${maximum} characters`;
  if (origin === 'array' || origin === 'set') return `must not have more than ${maximum} items`;
  return inclusive === false ? `has to be less than ${maximum}` : `must not be more than ${maximum}`;
}

const FOLLOWS_NAME = /^(?:is|has|have to|must|cannot|takes|names) /;

/** A sentence about a named value: the result of `issueText` follows the name, other messages follow a colon. */
function aboutValue(name: string, message: string): string {
  return FOLLOWS_NAME.test(message) ? `"${name}" ${message}` : `"${name}": ${message}`;
}

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
