import { hash } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import { type Operation, operation, type Reply } from '../../api/operation.ts';
import type { PageFiles } from './page-files.ts';

export interface PagePorts {
  /** Absent if no page is served. */
  readonly page?: PageFiles | undefined;
}

/** Views of the diary with addresses; `web/src/main.tsx` shows them. */
const VIEWS = ['trends', 'recipes', 'foods', 'settings', 'print'];

/** Sections of the console with addresses; `web/src/console/console.tsx` shows them. */
const SECTIONS = ['foods', 'imports', 'scans', 'keys', 'webhooks', 'people', 'events', 'backup'];

/**
 * The page loads nothing from other servers, and sends photos to the object store of the service. Selected
 * photos are shown from memory; the barcode reader is WebAssembly.
 */
function policyOf({ uploads }: PageFiles): string {
  const reached = uploads === undefined ? "'self'" : `'self' ${uploads}`;
  return (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; " +
    `connect-src ${reached}; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`
  );
}

const PERMISSIONS = 'camera=(self), microphone=(self), geolocation=(), payment=(), usb=()';
/** Names of assets contain a hash of their contents. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const headers = z.object({ 'Accept-Encoding': z.string().optional() });

/** A document of the page, as `web/build.ts` has named it; undefined if no page is served. */
export async function pageDocument(
  { page }: PagePorts,
  accepted: string | undefined,
  name: string,
): Promise<Reply | undefined> {
  const file = await page?.read(name, accepted);
  if (page === undefined || file === undefined) return undefined;
  return {
    headers: {
      ...file.headers,
      'cache-control': 'no-cache',
      'content-security-policy': policyOf(page),
      'permissions-policy': PERMISSIONS,
    },
    body: file.body,
  };
}

/** Throws `not_found` if no page is served. */
async function answerDocument(
  ports: PagePorts,
  { 'Accept-Encoding': accepted }: z.output<typeof headers>,
  name: string,
): Promise<Reply> {
  return (await pageDocument(ports, accepted, name)) ?? notFound();
}

const getView = operation({
  method: 'GET',
  path: '/app/:view',
  id: 'getView',
  summary: 'A view of the page',
  access: 'public',
  counts: 'health',
  params: z.object({ view: z.string() }),
  headers,
  answer: { description: 'The page.', contentType: 'text/html; charset=utf-8' },
  handle: async ({ params: { view }, headers }, ports: PagePorts) =>
    VIEWS.includes(view) ? answerDocument(ports, headers, 'nested-index.html') : notFound(),
});

const getConsole = operation({
  method: 'GET',
  path: '/console',
  id: 'getConsole',
  summary: 'The console, for owners',
  access: 'public',
  counts: 'health',
  headers,
  answer: { description: 'The page.', contentType: 'text/html; charset=utf-8' },
  handle: ({ headers }, ports: PagePorts) => answerDocument(ports, headers, 'console.html'),
});

const getConsoleSection = operation({
  method: 'GET',
  path: '/console/:section',
  id: 'getConsoleSection',
  summary: 'A section of the console',
  access: 'public',
  counts: 'health',
  params: z.object({ section: z.string() }),
  headers,
  answer: { description: 'The page.', contentType: 'text/html; charset=utf-8' },
  handle: async ({ params: { section }, headers }, ports: PagePorts) =>
    SECTIONS.includes(section) ? answerDocument(ports, headers, 'nested-console.html') : notFound(),
});

const getWelcome = operation({
  method: 'GET',
  path: '/welcome',
  id: 'getWelcome',
  summary: 'The page, for who was invited',
  access: 'public',
  counts: 'health',
  headers,
  answer: { description: 'The page.', contentType: 'text/html; charset=utf-8' },
  handle: ({ headers }, ports: PagePorts) => answerDocument(ports, headers, 'index.html'),
});

const getAsset = operation({
  method: 'GET',
  path: '/assets/:file',
  id: 'getAsset',
  summary: 'A script or style of the page',
  access: 'public',
  counts: 'uncounted',
  params: z.object({ file: z.string() }),
  headers,
  answer: { description: 'The file.' },
  handle: ({ params: { file }, headers }, ports: PagePorts) =>
    answerFile(ports, `assets/${file}`, headers['Accept-Encoding'], FOR_EVER),
});

const WORKER = 'sw.js';
/** Files that keep their names in the build. */
const NAMED_FILES = [
  ...['icon.svg', 'icon-192.png', 'icon-512.png', 'icon-maskable-512.png', 'apple-touch-icon.png'],
  ...['manifest.webmanifest', WORKER],
];
const namedFiles = NAMED_FILES.map((name) =>
  operation({
    method: 'GET',
    path: `/${name}`,
    id: `getPageFile${name}`,
    summary: 'A file of the page',
    access: 'public',
    counts: 'uncounted',
    headers,
    answer: { description: 'The file.' },
    handle: ({ headers }, ports: PagePorts) =>
      answerFile(ports, name, headers['Accept-Encoding'], 'no-cache'),
  }),
);

/** `web/build.ts` makes one for each language of the page. */
const getManifest = operation({
  method: 'GET',
  path: '/:language.manifest.webmanifest',
  id: 'getPageManifest',
  summary: 'The manifest of the installed page in a language',
  access: 'public',
  counts: 'uncounted',
  params: z.object({ language: z.string() }),
  headers,
  answer: { description: 'The file.' },
  handle: ({ params: { language }, headers }, ports: PagePorts) =>
    answerFile(ports, `${language}.manifest.webmanifest`, headers['Accept-Encoding'], 'no-cache'),
});

/** Named by `web/client-package.ts`. */
const CLIENT_PACKAGE = 'larder-client.tgz';

const getClientPackage = operation({
  method: 'GET',
  path: `/${CLIENT_PACKAGE}`,
  id: 'getClientPackage',
  summary: 'The client for JavaScript and TypeScript, for `npm install`',
  access: 'public',
  counts: 'health',
  headers: z.object({ 'If-None-Match': z.string().optional() }),
  answer: { description: 'The npm package.', contentType: 'application/gzip' },
  handle: async ({ headers }, { page }: PagePorts) => {
    const file = await page?.read(CLIENT_PACKAGE);
    if (file === undefined) return notFound();
    const etag = `"${hash('sha256', file.body, 'hex')}"`;
    const reply = { etag, 'cache-control': 'no-cache' };
    return headers['If-None-Match']?.includes(etag)
      ? { status: 304, headers: reply }
      : { headers: { ...file.headers, ...reply }, body: file.body };
  },
});

export const PAGE: readonly Operation<PagePorts>[] = [
  getView,
  getConsole,
  getConsoleSection,
  getWelcome,
  getAsset,
  ...namedFiles,
  getManifest,
  getClientPackage,
];

/** Throws `not_found`: the response to a missing file is never the page. */
async function answerFile(
  { page }: PagePorts,
  name: string,
  accepted: string | undefined,
  cacheControl: string,
): Promise<Reply> {
  const file = await page?.read(name, accepted);
  if (page === undefined || file === undefined) return notFound();
  // A worker's policy is that of its own script; other scripts have that of their document.
  const policy = name === WORKER && { 'content-security-policy': policyOf(page) };
  return { headers: { ...file.headers, 'cache-control': cacheControl, ...policy }, body: file.body };
}

function notFound(): never {
  throw new AppError({ code: 'not_found', message: 'There is nothing at this address; see /docs.' });
}
