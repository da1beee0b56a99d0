import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Larder } from '#larder-client';
import { ean13Bars } from '../support/barcode-bars.ts';
import { barcodePicture } from '../support/barcode-picture.ts';
import { EventReader } from '../support/event-reader.ts';
import { SPREAD } from '../support/foods.ts';
import { type PrefixProxy, startPrefixProxy } from '../support/prefix-proxy.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { openTestService, type TestService } from '../support/test-service.ts';

const PREFIX = '/home/larder';
const POLL_EVERY_MS = 20;
const OWN_FOOD = {
  name: 'Base path bread',
  servingSize: { value: 100, unit: 'g' },
  macros: { energy: 250, protein: 8, fat: 2, carbohydrates: 50 },
};

describe('LARDER_PUBLIC_URL with a path', () => {
  let proxy: PrefixProxy;
  let service: TestService;
  let photo: Uint8Array<ArrayBuffer>;
  beforeAll(async () => {
    proxy = await startPrefixProxy(PREFIX);
    service = await openTestService({ settings: { LARDER_PUBLIC_URL: `${proxy.url}/` } });
    proxy.port = Number(new URL(service.url).port);
    const picture = await barcodePicture({ bars: ean13Bars(SPREAD.barcode!) });
    photo = new Uint8Array(await picture.jpeg().toBuffer());
  });
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  /** Follows a link as a client does: relative to the address of the response. */
  async function follow(link: string, init: RequestInit = {}, base = `${proxy.url}/`) {
    const url = new URL(link, base);
    const headers = { authorization: `Bearer ${service.key}`, ...init.headers };
    const answer = await fetch(url, { ...init, headers });
    const body = await answer.text();
    expect(answer.status, `${init.method ?? 'GET'} ${url} ${body.slice(0, 200)}`).toBeLessThan(300);
    return { answer, body, url: url.href, json: () => JSON.parse(body) };
  }

  const post = (path: string, body: object, headers = {}) =>
    follow(`${proxy.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  it('leads from the path itself to its folder, to which links of the page are relative', async () => {
    const moved = await fetch(`${service.url}${PREFIX}?from=mail`, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([308, `${PREFIX}/?from=mail`]);
    expect((await fetch(`${service.url}${PREFIX}/`)).status).toBe(200);
  });

  describe.each([
    ['removes it', true],
    ['leaves it in', false],
  ])('behind a proxy that %s', (_, strips) => {
    beforeAll(() => {
      proxy.strips = strips;
    });

    it('leads from the front page to everything', async () => {
      const front = await follow(`${proxy.url}/`);
      const { links } = front.json();
      for (const [name, link] of Object.entries<string>(links)) {
        expect(link, name).toMatch(/^\/home\/larder\//);
        await follow(link, {}, front.url);
      }
      const page = await follow(`${proxy.url}/`, { headers: { accept: 'text/html' } });
      const hrefs = [...page.body.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, href]) => href!);
      expect(hrefs.length).toBeGreaterThan(3);
      for (const href of hrefs) await follow(href, {}, page.url);
    });

    it('leads from the reference page to its script and the documents', async () => {
      const page = await follow(`${proxy.url}/docs`);
      const { sources } = JSON.parse(/data-configuration='([^']*)'/.exec(page.body)![1]!);
      const script = await follow(/<script src="([^"]*)"/.exec(page.body)![1]!, {}, page.url);
      expect(script.answer.headers.get('content-type')).toContain('javascript');
      expect(await follow(/<noscript>.*href="([^"]*)"/.exec(page.body)![1]!, {}, page.url)).toBeTruthy();
      const [document, unversioned] = await Promise.all(
        (sources as { readonly url: string }[]).map(({ url }) => follow(url, {}, page.url)),
      );
      expect(Object.keys(unversioned!.json().paths)).toContain('/foods/search');
      const { servers, paths } = document!.json();
      expect(Object.keys(paths)).toContain('/.well-known/jwks.json');
      const root = new URL(servers[0].url, document!.url).href;
      expect((await follow(`${root}/.well-known/jwks.json`)).json()).toHaveProperty('keys');
      await follow(`${root}/v1/foods/search?q=spread`);
    });

    it('is part of Location and Link, in cached and in repeated responses', async () => {
      const name = { 'idempotency-key': `base-path-${strips}` };
      const created = await post('/v1/foods', OWN_FOOD, name);
      const again = await post('/v1/foods', OWN_FOOD, name);
      for (const { answer, url } of [created, again]) {
        const location = answer.headers.get('location')!;
        expect(location).toMatch(/^\/home\/larder\/v1\/foods\/manual/);
        expect((await follow(location, {}, url)).json().name).toBe(OWN_FOOD.name);
      }
      await post('/v1/foods', { ...OWN_FOOD, name: 'Second bread' });
      for (const path of ['/v1/foods?limit=1', '/v1/foods?limit=1']) {
        const first = await follow(`${proxy.url}${path}`);
        const next = /<([^>]*)>; rel="next"/.exec(first.answer.headers.get('link')!)![1]!;
        expect(next).toMatch(/^\/home\/larder\/v1\/foods\?/);
        expect((await follow(next, {}, first.url)).json()).toHaveLength(1);
      }
    });

    it('is part of all URLs of a scan', async () => {
      const created = await post('/v1/scan/image', { clientId: 'phone', contentType: 'image/jpeg' });
      const { jobId, uploadUrl, streamUrl } = created.json();
      expect(streamUrl).toMatch(`${proxy.url}/v1/scan/image/${jobId}/stream/by-ticket`);
      if (service.config.mode === 'embedded') expect(uploadUrl).toMatch(`${proxy.url}/objects/`);
      await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: photo }).then(
        (answer) => expect(answer.status).toBe(200),
      );
      const stream = await EventReader.open(streamUrl, {});
      let last = await stream.next();
      for (let event = last; event !== undefined; event = await stream.next()) last = event;
      const { resultUrl } = last!.data as { resultUrl: string };
      if (service.config.mode === 'embedded') expect(resultUrl).toMatch(`${proxy.url}/objects/`);
      const result = await fetch(resultUrl);
      expect([result.status, await result.text()]).toEqual([200, expect.stringContaining(SPREAD.barcode!)]);
      const { json } = await follow(created.answer.headers.get('location')!, {}, created.url);
      expect(json().status).toBe('completed');
      while ((await fetch(resultUrl)).status !== 200) await setTimeout(POLL_EVERY_MS);
    });

    it('works for the client library, and for unversioned paths', async () => {
      const larder = new Larder({ url: proxy.url, key: service.key });
      const names = [];
      for await (const { name } of larder.foods.list({ limit: 1 })) names.push(name);
      expect(names).toEqual(expect.arrayContaining([OWN_FOOD.name, 'Second bread']));
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    });

    it('refers unknown addresses to the documentation', async () => {
      const answer = await fetch(`${proxy.url}/nowhere`);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('see /home/larder/docs.');
    });
  });
});

describe('X-Forwarded-Prefix', () => {
  let proxy: PrefixProxy;
  let server: TestServer;
  beforeAll(async () => {
    proxy = await startPrefixProxy(PREFIX);
    server = await openTestServer({ trustedProxies: ['127.0.0.1'] });
    proxy.port = server.port;
  });
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const documentOf = async (headers: Record<string, string>, asked = server) =>
    (await asked.ask({ url: '/openapi.json', headers })).json().servers;

  it.each([true, false])('of a trusted proxy is part of links (prefix removed: %s)', async (strips) => {
    proxy.strips = strips;
    proxy.headers = {
      'x-forwarded-prefix': `${PREFIX}/`,
      'x-forwarded-host': new URL(proxy.url).host,
      'x-forwarded-proto': 'http',
    };
    const key = await server.createKey(['scan', 'foods:read', 'foods:write']);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const { links } = JSON.parse(await (await fetch(`${proxy.url}/`)).text());
    expect(links.documentation).toBe('/home/larder/docs');
    const scan = await fetch(`${proxy.url}/v1/scan/image`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ clientId: 'phone', contentType: 'image/jpeg' }),
    });
    expect(scan.headers.get('location')).toMatch(/^\/home\/larder\/v1\/scan\/image\//);
    expect(JSON.parse(await scan.text()).streamUrl).toMatch(`${proxy.url}/v1/scan/image/`);
  });

  it('may change with each request, also for cached responses', async () => {
    const key = await server.createKey(['foods:read', 'foods:write']);
    const headers = { authorization: `Bearer ${key}` };
    for (const name of ['Rye bread', 'Oat bread']) {
      await server.ask({ method: 'POST', url: '/v1/foods', headers, payload: { ...OWN_FOOD, name } });
    }
    const url = '/v1/foods/search?q=bread&limit=1&offset=0';
    const link = async (prefix?: string) =>
      (
        await server.ask({
          url,
          headers: { ...headers, ...(prefix !== undefined && { 'x-forwarded-prefix': prefix }) },
        })
      ).headers['link'];
    for (const prefix of ['/a', undefined, '/b', '/a', undefined]) {
      expect(await link(prefix)).toMatch(new RegExp(`^<${prefix ?? ''}/v1/foods/search\\?`));
    }
    expect(await documentOf({ 'x-forwarded-prefix': '/a' })).toEqual([{ url: '/a' }]);
    expect(await documentOf({})).toEqual([{ url: '/' }]);
  });

  it.each(['larder', '//evil.example', '/a/../b', '/a"b', `/${'a'.repeat(300)}`, '', '/', '/x, /%2e'])(
    '%j is ignored',
    async (prefix) => {
      expect(await documentOf({ 'x-forwarded-prefix': prefix })).toEqual([{ url: '/' }]);
    },
  );

  it('of any other client is ignored', async () => {
    await using closed = await openTestServer({});
    expect(await documentOf({ 'x-forwarded-prefix': '/a' }, closed)).toEqual([{ url: '/' }]);
    expect(
      (await closed.ask({ url: '/a/healthz', headers: { 'x-forwarded-prefix': '/a' } })).statusCode,
    ).toBe(404);
  });
});
