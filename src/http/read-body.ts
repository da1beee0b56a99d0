import type { z } from 'zod';
import { AppError } from '../errors.ts';

const MAX_NAMED_FIELDS = 20;

/** The body in the schema's shape. Throws `invalid_request`, naming every field that is wrong or unknown. */
export function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const problems = read.error.issues.flatMap(toProblems).slice(0, MAX_NAMED_FIELDS);
  throw new AppError({
    code: 'invalid_request',
    message: `The body does not fit: ${problems[0]!.message}.`,
    details: { fields: [...new Set(problems.map(({ field }) => field))] },
  });
}

interface Problem {
  readonly field: string;
  readonly message: string;
}

function toProblems(issue: z.core.$ZodIssue): Problem[] {
  const place = issue.path.reduce<string>(toField, '');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const field = toField(place, key);
      return { field, message: `there is no field "${field}"` };
    });
  }
  return [{ field: place, message: place === '' ? issue.message : `"${place}": ${issue.message}` }];
}

/** `[2].fat`, `ingredients[0].unit` */
function toField(before: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${before}[${key}]`;
  return before === '' ? String(key) : `${before}.${String(key)}`;
}
