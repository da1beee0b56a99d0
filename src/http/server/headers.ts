import { randomUUID } from 'node:crypto';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/** The id that follows a request through answer and logs: the caller's own where it is sane, else a new one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Headers of every answer. Answers depend on a credential and change with the catalogue, so caches must not store them;
 * an operation whose answer may be stored says so itself.
 */
export const BASE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
