import type { Route } from '../route.ts';

/** The OpenAPI document, for programs. */
export function openApiRoute(document: unknown): Route {
  const json = JSON.stringify(document);
  return {
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    operation: 'other',
    handle: () => json,
  };
}
