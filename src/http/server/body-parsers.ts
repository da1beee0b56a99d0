import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';
import { MAX_FORM_FIELDS } from './limits.ts';

type Fields = Map<string, string | string[]>;

/** Has the routes of this scope accept `application/x-www-form-urlencoded` too, which OAuth 2 sends. */
export function acceptForms(scope: FastifyInstance): void {
  const options = { parseAs: 'string' } as const;
  scope.addContentTypeParser<string>('application/x-www-form-urlencoded', options, (_request, text, done) => {
    const fields: Fields = new Map();
    let count = 0;
    for (const [name, value] of new URLSearchParams(text)) {
      if (++count > MAX_FORM_FIELDS) return done(tooManyFields());
      add(fields, name, value);
    }
    done(null, Object.fromEntries(fields));
  });
}

/** A field that is sent twice becomes an array, which no schema takes. */
function add(fields: Fields, name: string, value: string): void {
  const known = fields.get(name);
  if (known === undefined) fields.set(name, value);
  else if (typeof known === 'string') fields.set(name, [known, value]);
  else known.push(value);
}

function tooManyFields(): AppError {
  return new AppError({
    code: 'invalid_request',
    message: `The form has more than ${MAX_FORM_FIELDS} fields.`,
    details: { limit: MAX_FORM_FIELDS },
  });
}
