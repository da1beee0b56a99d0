import type { FastifyInstance } from 'fastify';

/** Many clients announce JSON with every request, also with a DELETE that has no body: that is no mistake. */
export function acceptEmptyDeletes(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (request.method === 'DELETE' && body === '') done(null, undefined);
    else parse(request, body as string, done);
  });
}
