import { hash } from 'node:crypto';
import { prefersHtml } from './connection/accept-headers.ts';
import type { CompleteReply, Exchange } from './exchange.ts';

const STYLE = `
      :root { color-scheme: light dark; }
      body { font: 1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 0 auto; padding: 20vh 1rem 1.5rem; }
      h1 { font-size: 1.5rem; }
      a { color: LinkText; }
    `;
const POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'`;
const PAGE_TYPE = 'text/html; charset=utf-8';

/** Whether a browser asks for a page that does not exist. Paths of the API answer programs, and files of the page scripts. */
export function isMissingPage({ incoming: { method, headers }, endpoint, url }: Exchange): boolean {
  if (method !== 'GET' || url.startsWith('/v1/') || !prefersHtml(headers.accept)) return false;
  return endpoint === undefined || endpoint.operation.answer.contentType === PAGE_TYPE;
}

/** The page in place of the JSON of `not_found`. */
export function notFoundPage(error: CompleteReply, basePath: string): CompleteReply {
  const body = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Not found · Larder</title>
    <link rel="icon" href="data:,">
    <style>${STYLE}</style>
  </head>
  <body>
    <h1>There is nothing at this address</h1>
    <p><a href="${basePath}/">Open Larder</a> or read the <a href="${basePath}/docs">documentation of the API</a>.</p>
  </body>
</html>
`;
  return {
    ...error,
    headers: { 'content-type': PAGE_TYPE, 'content-security-policy': POLICY, vary: 'accept' },
    body,
  };
}
