import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../../errors.ts';

/** A JSON array of items that `toJson` writes. */
export function jsonList<T>(items: readonly T[], toJson: (item: T) => string): string {
  let list = '[';
  for (let i = 0; i < items.length; i++) list += i === 0 ? toJson(items[i]!) : `,${toJson(items[i]!)}`;
  return `${list}]`;
}

/** 204, which has neither a body nor a type. */
export function noContent(reply: FastifyReply): string {
  reply.code(204).removeHeader('content-type');
  return '';
}

const MAX_NAMED_FIELDS = 20;
/** Longer names are cut, since unknown fields are named as the client wrote them. */
const MAX_NAME_LENGTH = 100;

/** The body in the schema's shape. Throws `invalid_request`, naming the first fields that are wrong or unknown. */
export function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const problems = read.error.issues
    .slice(0, MAX_NAMED_FIELDS)
    .flatMap(toProblems)
    .slice(0, MAX_NAMED_FIELDS);
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
    return issue.keys.slice(0, MAX_NAMED_FIELDS).map((key) => {
      const field = toField(place, cut(key));
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

function cut(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}
