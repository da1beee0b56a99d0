import type { Route } from '../../src/http/route.ts';

/** A route that no service has: it reads a body of JSON, and answers it. */
export const ECHO_ROUTE: Route = {
  method: 'POST',
  path: '/test/echo',
  access: 'public',
  operation: 'other',
  handle: ({ body }) => JSON.stringify(body),
};
