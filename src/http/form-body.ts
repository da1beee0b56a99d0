import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/**
 * Reads `application/x-www-form-urlencoded` for routes that accept it (OAuth 2 sends forms). Any other route
 * refuses it like every type that is not JSON. A field that is sent twice becomes an array.
 */
export function acceptForms(server: FastifyInstance): void {
  const options = { parseAs: 'string' } as const;
  server.addContentTypeParser<string>('application/x-www-form-urlencoded', options, (request, text, done) => {
    if (request.routeOptions.config.declaration?.acceptsForm !== true) {
      done(
        new AppError({
          code: 'unsupported_media_type',
          message: 'The body has to be JSON; send "Content-Type: application/json".',
        }),
      );
      return;
    }
    const fields = new URLSearchParams(text);
    const names = [...new Set(fields.keys())];
    done(null, Object.fromEntries(names.map((name) => [name, oneOrAll(fields.getAll(name))])));
  });
}

function oneOrAll(values: string[]): string | string[] {
  return values.length === 1 ? values[0]! : values;
}
