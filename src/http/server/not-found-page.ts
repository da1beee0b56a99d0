import { prefersHtml } from './connection/accept-headers.ts';
import type { CompleteReply, Exchange } from './exchange.ts';
import { PAGE_TYPE, PLAIN_PAGE_HEADERS, plainPage } from './plain-page.ts';

/** Whether a browser asks for a page that does not exist. Paths of the API and files of the page answer JSON. */
export function isMissingPage({ incoming: { method, headers }, endpoint, url }: Exchange): boolean {
  if (method !== 'GET' || url.startsWith('/v1/') || !prefersHtml(headers.accept)) return false;
  return endpoint === undefined || endpoint.operation.answer.contentType === PAGE_TYPE;
}

/** The page in place of the JSON of `not_found`. */
export function notFoundPage(error: CompleteReply, basePath: string): CompleteReply {
  const body = plainPage(
    'Not found · Larder',
    `    <h1>There is nothing at this address</h1>
    <p><a href="${basePath}/">Open Larder</a> or read the <a href="${basePath}/docs">documentation of the API</a>.</p>`,
  );
  return { ...error, headers: PLAIN_PAGE_HEADERS, body };
}
