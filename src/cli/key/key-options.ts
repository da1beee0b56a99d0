import { TENANT_PATTERN } from '../../access/api-key.ts';
import { isScope, SCOPES, type Scope } from '../../access/scope.ts';
import { OperatorError } from '../../errors.ts';
import { MAX_OWN_LIMIT, OPERATIONS, type Operation, type OwnLimits } from '../../limits/operations.ts';

const MAX_NAME_LENGTH = 100;

export function parseTenant(text: string): string {
  if (TENANT_PATTERN.test(text)) return text;
  throw new OperatorError(
    'A tenant is 1 to 64 letters, digits, dots, dashes or underscores, a letter or digit first.',
  );
}

/** `a,b` in the order of the table, each once. */
export function parseScopes(text: string): readonly Scope[] {
  const given = text.split(',').map((scope) => scope.trim());
  const wrong = given.filter((scope) => !isScope(scope));
  if (wrong.length > 0) {
    throw new OperatorError(
      `${JSON.stringify(wrong.join(','))} is not a scope; there are ${SCOPES.join(', ')}.`,
    );
  }
  return SCOPES.filter((scope) => given.includes(scope));
}

/** `search=500,barcode=1000`: requests a minute. */
export function parseLimits(text: string): OwnLimits {
  return Object.fromEntries(text.split(',').map(parseLimit));
}

function parseLimit(text: string): [Operation, number] {
  const parts = /^(\w+)=(\d{1,7})$/.exec(text.trim());
  const operation = OPERATIONS.find((name) => name === parts?.[1]);
  const limit = Number(parts?.[2]);
  if (operation !== undefined && limit >= 1 && limit <= MAX_OWN_LIMIT) return [operation, limit];
  throw new OperatorError(
    `${JSON.stringify(text)} is not a limit such as search=500: one of ${OPERATIONS.join(', ')}, and 1 to ${MAX_OWN_LIMIT} requests a minute.`,
  );
}

export function parseName(text: string): string {
  const name = text.trim();
  if (name.length >= 1 && name.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name)) return name;
  throw new OperatorError(`A name has 1 to ${MAX_NAME_LENGTH} characters on one line.`);
}
