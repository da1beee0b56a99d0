import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Checks the raw headers, since Node keeps only the first Host, and a proxy in front may have gone by another one. */
export function hasSeveralHosts({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/** The id that follows a request through answer and logs: the caller's own where it is sane, else a new one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
}

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
