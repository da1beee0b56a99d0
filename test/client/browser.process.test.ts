import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildClient } from '../../tools/client/build.ts';
import { ean13Bars } from '../support/barcode-bars.ts';
import { barcodePicture } from '../support/barcode-picture.ts';
import { noBrowser, startBrowser } from '../support/chromium.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SHIPPED_EAN_13 = '0747599322198';
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' };
const WORKER = `import { Larder } from './client/index.js';
onmessage = async ({ data: [options, q] }) => {
  const [food] = await new Larder(options).foods.search({ q, limit: 1 });
  postMessage(food.name);
};`;

type Client = typeof import('#larder-client');
declare global {
  // The page loads the client's module from here.
  var client: Client;
}

/** Another origin with a page that loads the client as a module. */
async function serveApp(clientFolder: string) {
  const files: Record<string, string> = {
    '/': '<script type="module">import * as client from "./client/index.js"; globalThis.client = client;</script>',
    '/worker.js': WORKER,
  };
  const server = createServer(async ({ url = '/' }, response) => {
    const type = TYPES[extname(url)] ?? 'text/html';
    const content =
      files[url] ??
      (await readFile(join(clientFolder, url.replace('/client', '')), 'utf8').catch(() => undefined));
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': type }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}

describe.skipIf(noBrowser !== undefined)('a page of another origin, in Chromium', () => {
  const folder = tempFolder();
  let app: Awaited<ReturnType<typeof serveApp>>;
  let service: ServiceProcess;
  let browser: Browser;
  let page: Page;
  let options: { url: string; token: string };
  let photo: string;

  beforeAll(async () => {
    const clientFolder = join(folder.path, 'client');
    await buildClient(clientFolder);
    app = await serveApp(clientFolder);
    service = await startServiceProcess({ LARDER_THREADS: '1', LARDER_CORS_ORIGINS: app.origin });
    const { Larder } = await import('#larder-client');
    const backend = new Larder({ url: service.url, key: service.key });
    const { access_token } = await backend.tokens.create({ userId: 'ann' });
    options = { url: service.url, token: access_token };
    const picture = await barcodePicture({ bars: ean13Bars(SHIPPED_EAN_13) });
    photo = (await picture.png().toBuffer()).toString('base64');
    browser = await startBrowser();
    page = await browser.newPage();
    await page.goto(app.origin);
    await page.waitForFunction(() => globalThis.client !== undefined);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
    app?.close();
    folder[Symbol.dispose]();
  });

  test('searches, reads errors, writes, and sees versions and further pages', async () => {
    const seen = await page.evaluate(async (options) => {
      const { Larder, LarderError, versionOf } = globalThis.client;
      const larder = new Larder(options);
      const [banana] = await larder.foods.search({ q: 'bananna', limit: 1 });
      const error = await larder.foods.byBarcode('4006381333931').catch((cause: unknown) => cause);
      const { diary } = larder.user('ann');
      const day = { date: '2026-01-31', mealType: 'lunch' } as const;
      const entry = await diary.add({ ...day, foodId: banana!.id, quantity: 1, unit: 'serving' });
      await diary.add({ ...day, text: '2 eggs' });
      await diary.change(entry.id, { quantity: 2 }, { ifMatch: versionOf(entry) });
      const names: string[] = [];
      for await (const { foodName } of diary.list({ from: '2026-01-31', to: '2026-01-31', limit: 1 }))
        names.push(foodName);
      return {
        banana: banana!.name,
        code: error instanceof LarderError ? error.code : error,
        version: versionOf(entry),
        names: names.length,
      };
    }, options);
    expect(seen).toEqual({
      banana: 'Banana',
      code: 'barcode_not_found',
      version: expect.any(Number),
      names: 2,
    });
  });

  test('uploads a photo and follows its scan by stream', async () => {
    const seen = await page.evaluate(
      async ([options, photo]) => {
        const paths: string[] = [];
        const counting: typeof fetch = (input, init) => {
          paths.push(new URL(String(input)).pathname);
          return fetch(input, init);
        };
        const larder = new globalThis.client.Larder({ ...options, fetch: counting });
        const bytes = Uint8Array.from(atob(photo), (char) => char.charCodeAt(0));
        const scan = await larder.scans.create(new Blob([bytes], { type: 'image/png' }), {
          clientId: 'page',
        });
        const { name } = await scan.result();
        return {
          name,
          reads: paths
            .filter((path) => path.startsWith(`/v1/scan/image/${scan.jobId}`))
            .map((path) => path.endsWith('/stream')),
        };
      },
      [options, photo] as const,
    );
    expect(seen).toEqual({ name: 'Chocolate squares', reads: [true] });
  });

  test('a call ends with its signal', async () => {
    const reason = await page.evaluate(async (options) => {
      const leaving = new AbortController();
      const listing = new globalThis.client.Larder(options).foods.search(
        { q: 'rice' },
        { signal: leaving.signal },
      );
      const ended = listing.catch((cause: unknown) => cause);
      leaving.abort('left');
      return ended;
    }, options);
    expect(reason).toBe('left');
  });

  test('a worker uses the same module', async () => {
    const name = await page.evaluate(`new Promise((resolve, reject) => {
      const worker = new Worker('./worker.js', { type: 'module' });
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.onmessage = ({ data }) => resolve(data);
      worker.postMessage(${JSON.stringify([options, 'banana'])});
    })`);
    expect(name).toBe('Banana');
  });

  test('of an origin that is not allowed reports that there was no response', async () => {
    const other = await serveApp(join(folder.path, 'client'));
    const stranger = await browser.newPage();
    try {
      await stranger.goto(other.origin);
      await stranger.waitForFunction(() => globalThis.client !== undefined);
      const code = await stranger.evaluate(async (options) => {
        const larder = new globalThis.client.Larder({ ...options, maxRetries: 0 });
        return larder.foods.get('x').catch(({ code }: { code: string }) => code);
      }, options);
      expect(code).toBe('connection_failed');
    } finally {
      await stranger.close();
      other.close();
    }
  });
});
