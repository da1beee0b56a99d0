import { MAX_BODY_BYTES } from '../../src/http/server/limits.ts';
import type { Route } from '../../src/http/server/route.ts';

/** A route that no service has: it reads a body of JSON, and answers it. */
export const ECHO_ROUTE: Route = {
  method: 'POST',
  path: '/test/echo',
  access: 'public',
  operation: 'other',
  bodyLimit: MAX_BODY_BYTES,
  handle: ({ body }) => JSON.stringify(body),
};
