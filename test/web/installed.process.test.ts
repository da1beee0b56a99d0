import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGE_CODES } from '../../web/src/texts/languages.ts';
import { ean13Bars } from '../support/barcode-bars.ts';
import { barcodePicture } from '../support/barcode-picture.ts';
import { noBrowser, SIZES, startBrowser } from '../support/chromium.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { PageVisit } from './support/page-visit.ts';

/** A proxy before the service, under a path, as at home. It can serve another version of the page's worker. */
class HomeProxy {
  readonly server: Server;
  service: string | undefined;
  version: string | undefined;

  constructor() {
    this.server = createServer((incoming, outgoing) => {
      const { url = '', method, headers } = incoming;
      const isWorker = this.version !== undefined && url.endsWith('/sw.js');
      const sent = { ...headers, ...(isWorker && { 'accept-encoding': 'identity' }) };
      const forwarded = request(this.service + url, { method, headers: sent }, (answer) => {
        if (!isWorker) {
          outgoing.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(outgoing);
          return;
        }
        const { 'content-length': _, ...kept } = answer.headers;
        outgoing.writeHead(answer.statusCode!, kept);
        answer.pipe(outgoing, { end: false });
        answer.once('end', () => outgoing.end(`// ${this.version}`));
      });
      forwarded.once('error', () => outgoing.destroy());
      outgoing.once('close', () => forwarded.destroy());
      incoming.pipe(forwarded);
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
}

interface Manifest {
  readonly start_url: string;
  readonly scope: string;
  readonly icons: readonly { src: string; sizes: string; type: string; purpose: string }[];
  readonly lang: string;
  readonly shortcuts: readonly { name: string; url: string }[];
}

/** Shares as an app of the device does: a form that the worker receives. */
const SHARE = `(async ([url, text, photo]) => {
  const form = Object.assign(document.createElement('form'), { method: 'post', enctype: 'multipart/form-data', action: url });
  const add = (name, type, set) => {
    const field = Object.assign(document.createElement('input'), { name, type });
    set(field);
    form.append(field);
  };
  add('title', 'text', (field) => { field.value = text; });
  add('text', 'text', (field) => { field.value = text; });
  if (photo !== undefined) add('photo', 'file', (field) => {
    const files = new DataTransfer();
    files.items.add(new File([Uint8Array.from(atob(photo), (each) => each.charCodeAt(0))], 'plate.jpg', { type: 'image/jpeg' }));
    field.files = files.files;
  });
  document.body.append(form);
  form.submit();
})`;

describe.skipIf(noBrowser !== undefined)('the page under a path', () => {
  const proxy = new HomeProxy();
  let url: string;
  let service: ServiceProcess;
  let browser: Browser;
  let visit: PageVisit;

  beforeAll(async () => {
    const origin = await proxy.listen();
    url = `${origin}/larder`;
    service = await startServiceProcess({
      LARDER_THREADS: '1',
      LARDER_PAGE: 'on',
      LARDER_PUBLIC_URL: url,
    });
    proxy.service = new URL(service.url).origin;
    browser = await startBrowser();
    visit = await PageVisit.open(browser, { ...service, url }, SIZES[0][1]);
    await visit.createAccount({ ...service, url });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
    proxy.server.closeAllConnections();
    proxy.server.close();
  });

  test('the manifest starts the page under the path, and all its icons are there', async () => {
    const address = `${url}/manifest.webmanifest`;
    const manifest = (await (await fetch(address)).json()) as Manifest;
    for (const key of ['start_url', 'scope'] as const)
      expect(new URL(manifest[key], address).href).toBe(`${url}/`);
    const purposes = manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`);
    expect(purposes).toEqual(expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']));
    for (const { src, type } of manifest.icons) {
      const icon = await fetch(new URL(src, address));
      expect([icon.status, icon.headers.get('content-type')]).toEqual([200, type]);
    }
  });

  test('there is a manifest in each language of the page, and the page names its own', async () => {
    const named = () => visit.page.locator('link[rel=manifest]').getAttribute('href');
    expect(await named()).toBe(`${url}/en.manifest.webmanifest`);
    const manifests = await Promise.all(
      LANGUAGE_CODES.map(async (language) => {
        const answer = await fetch(`${url}/${language}.manifest.webmanifest`);
        return (await answer.json()) as Manifest;
      }),
    );
    expect(manifests.map(({ lang }) => lang)).toEqual(LANGUAGE_CODES);
    const names = manifests.map(({ shortcuts }) => shortcuts[0]!.name);
    expect(names.slice(0, 2)).toEqual(['Scan a barcode', 'Strichcode scannen']);
    expect(new Set(names).size).toBe(LANGUAGE_CODES.length);
    // Browsers know an installed app by the address at which it starts.
    expect(new Set(manifests.map(({ start_url: start }) => start)).size).toBe(1);
  });

  test('the worker is in charge of the path alone, and every view starts offline', async () => {
    const scope = await visit.page.evaluate('navigator.serviceWorker.ready.then(({ scope }) => scope)');
    expect(scope).toBe(`${url}/`);
    await visit.setOnline(false);
    for (const view of ['/app/settings', '/app/trends', '/']) {
      await visit.page.goto(url + view);
      await visit.page.getByRole('link', { name: 'Settings' }).waitFor();
    }
    await visit.setOnline(true);
  });

  test('shortcuts open what they name, and a reload does not open it again', async () => {
    const { page } = visit;
    const titles = { add: /^Add to/, scan: /^Add to/, weigh: 'Enter a weight' };
    for (const [action, name] of Object.entries(titles)) {
      await page.goto(`${url}/?do=${action}`);
      await page.getByRole('dialog', { name }).waitFor();
      expect(new URL(page.url()).search).not.toContain('do=');
    }
    await page.reload();
    await visit.meal('Breakfast').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('a text that another app shares is read as one that was typed', async () => {
    const { page } = visit;
    await page.evaluate(`${SHARE}(['${url}/share', '2 eggs and toast'])`);
    await page.getByRole('dialog').getByText('Read from your text').waitFor();
    expect(await page.getByLabel('Search foods').inputValue()).toBe('2 eggs and toast');
    await visit.button('Close').click();
  });

  test('a photo that another app shares is read as one that was taken', async () => {
    const { page } = visit;
    const barcode = await barcodePicture({ bars: ean13Bars('4006381333931'), modulePx: 4 });
    const photo = (await barcode.jpeg().toBuffer()).toString('base64');
    await page.evaluate(`${SHARE}(['${url}/share', '', '${photo}'])`);
    await page.getByRole('img', { name: 'Your photo' }).waitFor();
    await visit.button('Close').click();
    expect(await page.evaluate(`caches.has('larder-shared')`)).toBe(false);
  });

  test('a new version is announced, and used when it is wanted', async () => {
    proxy.version = 'next';
    await visit.page.reload();
    await visit.page.getByText('A new version is ready.').waitFor();
    await Promise.all([visit.page.waitForEvent('load'), visit.button('Reload').click()]);
    await visit.meal('Breakfast').waitFor();
    await expect.poll(() => visit.page.getByText('A new version is ready.').count()).toBe(0);
    const worker = await visit.page.evaluate(
      'navigator.serviceWorker.ready.then(({ waiting, active }) => [waiting === null, active.state])',
    );
    expect(worker).toEqual([true, 'activated']);
  });

  test('nothing failed on the way', () => {
    expect(visit.faults).toEqual([]);
  });
});
