import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPage } from '../../src/app/processes/service.ts';
import { readConfig } from '../../src/config/config.ts';
import { texts } from '../../web/src/console/texts/en.ts';
import { MemoryLog } from '../support/memory-log.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const HTML = { accept: 'text/html,*/*;q=0.8' };
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const PAGE = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

describe('the page', () => {
  let fixture: TestServer;
  beforeAll(async () => {
    await buildPage(readConfig({}), new MemoryLog().logger);
    fixture = await openTestServer();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  const sections = Object.keys(texts.sections).filter((section) => section !== 'overview');
  test.each(['/', '/welcome', '/app/settings', '/console', ...sections.map((each) => `/console/${each}`)])(
    'every address of %s leads to a file',
    async (path) => {
      const { statusCode, headers, body } = await fixture.ask({ url: path, headers: HTML });
      expect(statusCode).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      const links = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link!);
      expect(links.some((link) => link.endsWith('.js'))).toBe(true);
      for (const link of links) {
        const { pathname } = new URL(link, `http://larder${path}`);
        expect((await fixture.ask(pathname)).statusCode, link).toBe(200);
      }
    },
  );

  test('scripts and styles are loaded from the service only, and only the page may use the camera', async () => {
    const { headers, body } = await fixture.ask({ url: '/', headers: HTML });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy.replace(/connect-src [^;]*/, '')).not.toMatch(/'unsafe-inline'|'unsafe-eval'|https?:|\*/);
    expect(body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
    expect(headers['permissions-policy']).toContain('camera=(self)');
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['vary']).toContain('accept');
  });

  test('photos may be sent to the server of signed URLs, and to no other', async () => {
    const created = await fixture.ask({
      method: 'POST',
      url: '/v1/scan/image',
      headers: { authorization: `Bearer ${await fixture.createKey(['scan'])}` },
      payload: { clientId: 'page', contentType: 'image/jpeg' },
    });
    const { origin } = new URL(created.json().uploadUrl);
    const { headers } = await fixture.ask({ url: '/', headers: HTML });
    const [, allowed] = /connect-src ([^;]*)/.exec(String(headers['content-security-policy']))!;
    const isCluster = fixture.bucket !== '';
    expect(allowed!.trim().split(' ')).toEqual(isCluster ? ["'self'", origin] : ["'self'"]);
  });

  test.each(['/', '/app/trends', '/console', '/console/keys'])(
    'the document %s is sent compressed',
    async (url) => {
      for (const encoding of ['br', 'gzip']) {
        const answer = await fixture.ask({ url, headers: { ...HTML, 'accept-encoding': encoding } });
        expect(answer.headers['content-encoding']).toBe(encoding);
        expect(answer.headers['vary']).toContain('accept-encoding');
      }
    },
  );

  test('assets are sent compressed, and cached forever', async () => {
    const { body } = await fixture.ask({ url: '/', headers: HTML });
    const url = `/${/assets\/[^"]+\.js/.exec(body)![0]}`;
    const plain = await fixture.ask(url);
    expect(plain.headers['cache-control']).toContain('immutable');
    for (const encoding of ['br', 'gzip']) {
      const { headers } = await fixture.ask({ url, headers: { 'accept-encoding': encoding } });
      expect(headers['content-encoding']).toBe(encoding);
      expect(Number(headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']) / 2);
    }
  });

  test('the worker may call the service, and browsers check for a new one each time', async () => {
    const { headers } = await fixture.ask('/sw.js');
    expect(headers['content-type']).toContain('text/javascript');
    expect(headers['content-security-policy']).toContain("connect-src 'self'");
    expect(headers['cache-control']).toBe('no-cache');
  });

  test.each([['/assets/gone.js'], ['/assets/..%2ffiles.json']])(
    'the response to a missing file is never a page: %s',
    async (url) => {
      const answer = await fixture.ask({ url, headers: HTML });
      expect(answer.statusCode).toBe(404);
      expect(answer.json().error.code).toBe('not_found');
    },
  );

  test.each([
    ['/app/nothing'],
    ['/console/nothing'],
    ['/app'],
    ['/assets'],
    ['/settings'],
    ['/nothing/here'],
  ])('a browser gets a page that says what to do, programs get JSON: %s', async (url) => {
    const seen = await fixture.ask({ url, headers: HTML });
    expect(seen.statusCode).toBe(404);
    expect(seen.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(seen.headers['content-security-policy']).not.toContain('unsafe-inline');
    expect(seen.body).toContain('<a href="/">Open Larder</a>');
    expect(seen.body).not.toContain('<script');
    expect((await fixture.ask(url)).json().error.code).toBe('not_found');
  });

  describe.each([
    ['/', 200],
    ['/nothing/here', 404],
  ])('the type of %s', (url, status) => {
    test.each([
      [BROWSER, PAGE],
      ['text/html', PAGE],
      ['application/json;q=0.1, text/html;q=0.2', PAGE],
      ['application/json, text/html;q=0.1', JSON_TYPE],
      ['text/html;q=0, application/json', JSON_TYPE],
      ['text/html;q=0', JSON_TYPE],
      ['text/html;q=much', JSON_TYPE],
      ['application/json', JSON_TYPE],
      ['*/*', JSON_TYPE],
      [undefined, JSON_TYPE],
    ])('for "%s" is %s', async (accept, type) => {
      const { statusCode, headers } = await fixture.ask({
        url,
        headers: accept === undefined ? {} : { accept },
      });
      expect([statusCode, headers['content-type']]).toEqual([status, type]);
    });
  });

  test.each(['br;q=0', 'br; q=0', 'br;q=0.0', 'gzip;q=0.000', 'br;q=0, gzip;q=0'])(
    'the document is not sent in an encoding that is not accepted: %s',
    async (encoding) => {
      const { headers } = await fixture.ask({ url: '/', headers: { ...HTML, 'accept-encoding': encoding } });
      expect(headers['content-encoding']).toBeUndefined();
    },
  );

  test.each(['/?utm_source=x', '/?q=1&q=2', '/?__proto__=x', '/?'])(
    'a query changes nothing: %s',
    async (url) => {
      for (const headers of [HTML, {}]) {
        const [asked, plain] = [
          await fixture.ask({ url, headers }),
          await fixture.ask({ url: '/', headers }),
        ];
        expect([asked.statusCode, asked.body]).toEqual([200, plain.body]);
      }
    },
  );

  test('paths of the API answer JSON to browsers, too', async () => {
    const answer = await fixture.ask({ url: '/v1/nothing', headers: HTML });
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'not_found']);
  });

  test('programs get the same responses as without the page', async () => {
    const { headers } = await fixture.ask('/');
    expect(headers['content-type']).toContain('application/json');
  });
});

test('LARDER_PAGE=off disables the page', async () => {
  await using fixture = await openTestServer({ settings: { LARDER_PAGE: 'off' } });
  const urls = [
    '/welcome',
    '/app/settings',
    '/console',
    '/console/keys',
    '/icon.svg',
    '/manifest.webmanifest',
    '/sw.js',
  ];
  for (const url of urls) expect((await fixture.ask({ url, headers: HTML })).statusCode, url).toBe(404);
});
