import { AppError } from '../../../errors.ts';
import { MAX_FORM_FIELDS } from './body-limits.ts';

/** Reads `application/x-www-form-urlencoded`, which OAuth 2 sends. A field that is sent twice becomes an array. */
export function parseForm(bytes: Buffer): Readonly<Record<string, string | string[]>> {
  const fields = new Map<string, string | string[]>();
  let count = 0;
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    if (++count > MAX_FORM_FIELDS) {
      throw new AppError({
        code: 'invalid_request',
        message: `The form has more than ${MAX_FORM_FIELDS} fields.`,
        details: { limit: MAX_FORM_FIELDS },
      });
    }
    const known = fields.get(name);
    fields.set(name, known === undefined ? value : [known, value].flat());
  }
  return Object.fromEntries(fields);
}
