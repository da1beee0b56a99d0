import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Route } from '../server/route.ts';

const SCRIPT_PATH = '/docs/reference.js';
/** The script changes only with a release; an hour spares a reader most of it. */
const SCRIPT_CACHE = 'public, max-age=3600';

/** Everything comes from this service: no outside fonts, no proxy, no telemetry. */
const CONFIGURATION = {
  url: '/openapi.json',
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
    <script id="api-reference" data-configuration='${JSON.stringify(CONFIGURATION)}'></script>
    <script src="${SCRIPT_PATH}"></script>
  </body>
</html>
`;

/** The reference page at /docs and the script that draws it. */
export function referencePageRoutes(): readonly Route[] {
  let script: Promise<ReferenceScript> | undefined;
  return [
    {
      method: 'GET',
      path: '/docs',
      access: 'public',
      operation: 'other',
      handle: (_request, reply) => {
        reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY });
        return PAGE;
      },
    },
    {
      method: 'GET',
      path: SCRIPT_PATH,
      access: 'public',
      operation: 'other',
      handle: async (request, reply) => {
        script ??= loadScript();
        const { plain, gzipped } = await script;
        reply.headers({
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': SCRIPT_CACHE,
          vary: 'accept-encoding',
        });
        if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return plain;
        reply.header('content-encoding', 'gzip');
        return gzipped;
      },
    },
  ];
}

interface ReferenceScript {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

/**
 * The script lies inside a package whose only public form is a Fastify plugin, so it is taken from that. Done when
 * the first reader comes: it is 4 MB that most API threads never need.
 */
async function loadScript(): Promise<ReferenceScript> {
  const [{ default: Fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const catalogueStore = Fastify();
  await catalogueStore.register(scalar, { routePrefix: '/', configuration: { url: '/openapi.json' } });
  const { rawPayload: plain } = await catalogueStore.inject('/js/scalar.js');
  await catalogueStore.close();
  return { plain, gzipped: await promisify(gzip)(plain) };
}
