import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { operation } from '../../api/operation.ts';
import { DOCUMENT_FILES } from './document-files.ts';

const SCRIPT_PATH = '/docs/reference.js';
/** The script changes only with a release; an hour saves most repeated downloads. */
const SCRIPT_CACHE = 'public, max-age=3600';

/** Everything is loaded from this service: no external fonts, no proxy, no telemetry. */
const CONFIGURATION = {
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

function toPage(basePath: string): string {
  const versioned = `${basePath}/${DOCUMENT_FILES.versioned}`;
  const unversioned = `${basePath}/${DOCUMENT_FILES.unversioned}`;
  const sources = [
    { title: 'Larder API', slug: 'v1', url: versioned },
    { title: 'Unversioned paths', slug: 'unversioned', url: unversioned },
  ];
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Larder API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <noscript>This page needs JavaScript. Without it, read the <a href="${versioned}">OpenAPI document</a>, or
      <a href="${unversioned}">that of the unversioned paths</a>.</noscript>
    <script id="api-reference" data-configuration='${JSON.stringify({ sources, ...CONFIGURATION })}'></script>
    <script src="${basePath}${SCRIPT_PATH}"></script>
  </body>
</html>
`;
}

export const getReferencePage = operation({
  method: 'GET',
  path: '/docs',
  id: 'getReferencePage',
  summary: 'The reference page, for readers',
  access: 'public',
  counts: 'health',
  answer: { description: 'The page.', contentType: 'text/html; charset=utf-8' },
  handle: async ({ basePath }) => ({
    headers: { 'content-security-policy': PAGE_POLICY },
    body: toPage(basePath),
  }),
});

export const getReferenceScript = operation({
  method: 'GET',
  path: SCRIPT_PATH,
  id: 'getReferenceScript',
  summary: 'The script that draws the reference page',
  access: 'public',
  counts: 'health',
  answer: { description: 'The script, compressed.', contentType: 'text/javascript; charset=utf-8' },
  handle: async () => {
    script ??= readScript().catch((error) => {
      script = undefined;
      throw error;
    });
    return {
      headers: { 'cache-control': SCRIPT_CACHE, 'content-encoding': 'gzip' },
      body: await script,
    };
  },
});

/** Read at the first request. */
let script: Promise<Buffer> | undefined;

async function readScript(): Promise<Buffer> {
  const thread = new Worker(new URL('./reference-script.ts', import.meta.url), { name: 'reference-script' });
  const [script]: Uint8Array<ArrayBuffer>[] = await once(thread, 'message');
  return Buffer.from(script!);
}
