/**
 * Keeps the shell of the page, so that it starts without the service. Data is in the page's database, and requests to the API are
 * left alone. `web/build.ts` puts `FILES` and `VERSION` before this file, which therefore imports nothing.
 */

/** Files to keep, by their names below the address of the page. */
declare const FILES: readonly string[];
/** Differs whenever the page does. */
declare const VERSION: string;

/** The parts of the worker's scope that are used here; TypeScript has them in a library that excludes the page's. */
interface Worker extends EventTarget {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
}
interface WorkerEvent extends Event {
  readonly request: Request;
  readonly data: unknown;
  waitUntil(work: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}

const worker = self as unknown as Worker;
const BASE = new URL('./', worker.location.href);
const PREFIX = 'larder-shell-';
const SHELL = PREFIX + VERSION;
/** A tab that shows the version before may still load parts of it. */
const VERSIONS_KEPT = 2;
/** What other apps share to this one, until the page has taken it. */
const SHARED = 'larder-shared';
/** Addresses of the document. It holds relative addresses, so that each depth has its own. */
const DOCUMENTS = ['./', './app/settings'];
const VIEW = /^app\/[a-z]+$/;

function on(type: string, handle: (event: WorkerEvent) => void): void {
  worker.addEventListener(type, (event) => handle(event as WorkerEvent));
}

on('install', (event) => event.waitUntil(keepShell()));
on('activate', (event) => event.waitUntil(Promise.all([dropOldShells(), worker.clients.claim()])));
on('message', ({ data }) => {
  if (data === 'use this version') void worker.skipWaiting();
});
on('fetch', (event) => {
  const { method, mode, url } = event.request;
  if (!url.startsWith(BASE.href)) return;
  const name = new URL(url).pathname.slice(BASE.pathname.length);
  if (method === 'POST' && name === 'share') event.respondWith(keepShared(event.request));
  if (method !== 'GET') return;
  if (mode === 'navigate') {
    if (name === '' || name === 'welcome') event.respondWith(keptDocument(DOCUMENTS[0]!, event.request));
    else if (VIEW.test(name)) event.respondWith(keptDocument(DOCUMENTS[1]!, event.request));
  } else if (name.startsWith('assets/') || FILES.includes(name)) event.respondWith(keptFile(event.request));
});

/** Fails as a whole if one file is missing, as while the service is replaced; the browser tries again later. */
async function keepShell(): Promise<void> {
  const shell = await caches.open(SHELL);
  const documents = DOCUMENTS.map(
    (path) => new Request(new URL(path, BASE), { headers: { accept: 'text/html' }, cache: 'no-cache' }),
  );
  await shell.addAll([...documents, ...FILES.map((name) => new Request(new URL(name, BASE)))]);
}

async function dropOldShells(): Promise<void> {
  const shells = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  const others = shells.filter((name) => name !== SHELL);
  await Promise.all(others.slice(0, 1 - VERSIONS_KEPT).map((name) => caches.delete(name)));
}

/** Keeps what the share target of the manifest got, and opens the page that reads it. */
async function keepShared(request: Request): Promise<Response> {
  const form = await request.formData();
  const photo = form.get('photo');
  const texts = ['title', 'text'].flatMap((name) => {
    const text = form.get(name);
    return typeof text === 'string' && text.trim() !== '' ? [text.trim()] : [];
  });
  await caches.delete(SHARED);
  const shared = await caches.open(SHARED);
  const keep = (name: string, body: BodyInit) => shared.put(new URL(name, BASE), new Response(body));
  if (photo instanceof Blob && photo.size > 0) await keep('shared-photo', photo);
  if (texts.length > 0) await keep('shared-text', [...new Set(texts)].join('\n'));
  return Response.redirect(new URL('./?do=shared', BASE).href, 303);
}

async function keptDocument(path: string, request: Request): Promise<Response> {
  const shell = await caches.open(SHELL);
  return (await shell.match(new URL(path, BASE), { ignoreVary: true })) ?? fetch(request);
}

/** Names of assets hold a hash of their contents, so that one that was loaded once stays right. */
async function keptFile(request: Request): Promise<Response> {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok && request.url.includes('/assets/')) {
    const shell = await caches.open(SHELL);
    // The page goes on without the copy if no space is left.
    await shell.put(request, response.clone()).catch(() => {});
  }
  return response;
}
