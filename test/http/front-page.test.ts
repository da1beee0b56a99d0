import { afterAll, beforeAll, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { openTestServer, type TestServer } from '../support/test-server.ts';

let fixture: TestServer;
beforeAll(async () => {
  fixture = await openTestServer({ settings: { LARDER_PAGE: 'off' } });
});
afterAll(() => fixture[Symbol.asyncDispose]());

test('programs get the name of the service and the links to start with', async () => {
  const answer = await fixture.ask({ url: '/', headers: { accept: '*/*' } });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toContain('application/json');
  const { name, version, links } = answer.json();
  expect({ name, version }).toEqual({ name: 'larder', version: packageJson.version });
  const { documentation, openapi, unversionedOpenapi, health, readiness } = links;
  for (const path of [documentation, openapi, unversionedOpenapi, health, readiness]) {
    expect((await fixture.ask(path)).statusCode, path).toBe(200);
  }
});

test('browsers get a page without scripts or external resources', async () => {
  const answer = await fixture.ask({
    url: '/',
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
  });
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  expect(answer.headers['vary']).toContain('accept');
  const page = answer.body;
  expect(page).toContain('href="/docs"');
  expect(page).not.toMatch(/<script|src=|url\(/);
  // In the folder of a checkout only npx finds the command.
  expect(page).toContain('npx larder key create');
});

test('the address in the page is escaped', async () => {
  const headers = { accept: 'text/html', host: 'a"><b' };
  const answer = await fixture.ask({ url: '/', headers });
  expect(answer.body).not.toContain('"><b');
});

test('the reference page offers both documents, and links to them if scripts do not run', async () => {
  const { body } = await fixture.ask('/docs');
  const [, withoutScripts] = /<noscript>(.*)<\/noscript>/s.exec(body)!;
  const [, configuration] = /data-configuration='([^']*)'/.exec(body)!;
  const { sources } = JSON.parse(configuration!) as { sources: readonly { readonly url: string }[] };
  expect(sources.map(({ url }) => url)).toEqual(['/openapi.json', '/openapi-unversioned.json']);
  for (const { url } of sources) expect(withoutScripts).toContain(`href="${url}"`);
});
