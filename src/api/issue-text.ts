import type { z } from 'zod';
import { likelyName } from './likely-name.ts';

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
export function issueText(issue: Issue): string | undefined {
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
export function aboutValue(name: string, message: string): string {
  return FOLLOWS_NAME.test(message) ? `"${name}" ${message}` : `"${name}": ${message}`;
}
