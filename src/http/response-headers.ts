/**
 * On every answer. Answers depend on a credential and change with the catalogue, so nobody stores them;
 * a route that may be stored says so itself.
 */
export const BASE_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
