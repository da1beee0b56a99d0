import type { Route } from '../server/route.ts';

/** The OpenAPI document, for programs. */
export function openApiRoute(document: unknown): Route {
  // Encoded once: as a string, each answer would take a thread a millisecond.
  const json = Buffer.from(JSON.stringify(document));
  return {
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    operation: 'other',
    handle: () => json,
  };
}
