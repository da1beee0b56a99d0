import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';
import { operation } from '../server/operation.ts';

const SCRIPT_PATH = '/docs/reference.js';
/** The script changes only with a release; an hour spares a reader most of it. */
const SCRIPT_CACHE = 'public, max-age=3600';

/** Everything comes from this service: no outside fonts, no proxy, no telemetry. */
const CONFIGURATION = {
  url: '/openapi.json',
  authentication: { preferredSecurityScheme: 'bearer' },
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
};

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Larder API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <noscript>This page needs JavaScript. Without it, read the <a href="${CONFIGURATION.url}">OpenAPI document</a>.</noscript>
    <script id="api-reference" data-configuration='${JSON.stringify(CONFIGURATION)}'></script>
    <script src="${SCRIPT_PATH}"></script>
  </body>
</html>
`;

export const getReferencePage = operation({
  method: 'GET',
  path: '/docs',
  id: 'getReferencePage',
  summary: 'The reference page, for readers',
  access: 'public',
  counts: 'health',
  answer: { description: 'The page.', contentType: 'text/html; charset=utf-8' },
  handle: () => () => ({ headers: { 'content-security-policy': PAGE_POLICY }, body: PAGE }),
});

export const getReferenceScript = operation({
  method: 'GET',
  path: SCRIPT_PATH,
  id: 'getReferenceScript',
  summary: 'The script that draws the reference page',
  access: 'public',
  counts: 'health',
  headers: z.object({ 'Accept-Encoding': z.string().optional() }),
  answer: { description: 'The script.', contentType: 'text/javascript; charset=utf-8' },
  handle: () => {
    let script: Promise<ReferenceScript> | undefined;
    return async ({ headers }) => {
      script ??= loadScript();
      const { plain, gzipped } = await script;
      const cached = { 'cache-control': SCRIPT_CACHE, vary: 'accept-encoding' };
      if (!/\bgzip\b/.test(headers['Accept-Encoding'] ?? '')) return { headers: cached, body: plain };
      return { headers: { ...cached, 'content-encoding': 'gzip' }, body: gzipped };
    };
  },
});

interface ReferenceScript {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

/** A route as the plugin below declares it. */
interface PluginRoute {
  readonly url: string;
  readonly handler: (
    request: unknown,
    reply: { header: () => unknown; send: (body: string) => void },
  ) => unknown;
}

/**
 * The script lies inside a package whose only public form is a Fastify plugin; its other packages load it from elsewhere, or
 * bring a browser's framework along. So the plugin is given something that takes its routes, and the one of the script is
 * called. Done when the first reader comes: it is 4 MB that most API threads never need.
 */
async function loadScript(): Promise<ReferenceScript> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const routes: PluginRoute[] = [];
  const host = { route: (route: PluginRoute) => routes.push(route) };
  await new Promise<void>((resolve) =>
    plugin(host as never, { routePrefix: '/', configuration: { url: '/openapi.json' } } as never, () =>
      resolve(),
    ),
  );
  const text = await new Promise<string>((resolve) => {
    const reply = { header: () => reply, send: resolve };
    routes.find(({ url }) => url.endsWith('.js'))!.handler({}, reply);
  });
  const plain = Buffer.from(text);
  return { plain, gzipped: await promisify(gzip)(plain) };
}
