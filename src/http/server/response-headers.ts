/**
 * Headers of every answer. Answers depend on a credential and change with the catalogue, so caches must not store them;
 * a route whose answer may be stored says so itself.
 */
export const BASE_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
