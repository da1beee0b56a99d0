import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CreatedScan } from '#larder-client';
import { noBrowser, startBrowser } from '../support/chromium.ts';
import { type ClientProject, openClientProject } from '../support/client-project.ts';
import { freePort } from '../support/free-port.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const EXAMPLE = join(ROOT, 'examples', 'browser-app');
const PHOTO = join(ROOT, 'examples', 'photos', 'barcode.jpg');
const BLOCK = /^```js\n([\s\S]*?)^```$/gm;

const page = await readFile(join(ROOT, 'docs', 'browser-apps.md'), 'utf8');
const blocks = Array.from(page.matchAll(BLOCK), ([, text]) => text!);
const follow = blocks.find((text) => text.startsWith('function follow('))!;

test('docs/browser-apps.md shows lines of the example unchanged', async () => {
  const files = await Promise.all(
    ['index.html', 'server.mjs'].map((name) => readFile(join(EXAMPLE, name), 'utf8')),
  );
  for (const block of blocks.filter((text) => text !== follow)) expect(files.join('\n')).toContain(block);
  expect(blocks).toHaveLength(5);
});

describe.skipIf(noBrowser !== undefined)('the example app, in Chromium', () => {
  let project: ClientProject;
  let service: ServiceProcess;
  let backend: ChildProcess;
  let browser: Browser;
  let app: Page;
  let origin: string;

  beforeAll(async () => {
    project = await openClientProject();
    await cp(EXAMPLE, project.path, { recursive: true });
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    service = await startServiceProcess({ LARDER_THREADS: '1', LARDER_CORS_ORIGINS: origin });
    backend = spawn(process.execPath, ['server.mjs'], {
      cwd: project.path,
      env: { LARDER: service.url, KEY: service.key, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [told] = await once(backend.stdout!, 'data');
    expect(String(told)).toBe(`Open ${origin}\n`);
    browser = await startBrowser();
    app = await browser.newPage();
    await app.goto(origin);
  });
  afterAll(async () => {
    await browser?.close();
    backend?.kill();
    await service?.[Symbol.asyncDispose]();
    project?.[Symbol.dispose]();
  });

  test('finds a food while the user types, and logs it', async () => {
    await app.locator('#total', { hasText: '0 kcal' }).waitFor();
    await app.locator('#search').pressSequentially('bananna');
    await app.locator('#found li', { hasText: /^Banana$/ }).click();
    await app.locator('#day li', { hasText: /^Banana: \d/ }).waitFor();
    expect(await app.locator('#total').textContent()).not.toBe('0 kcal');
  });

  test('scans the sample photo and logs its foods', async () => {
    await app.locator('#photo').setInputFiles(PHOTO);
    await app.locator('#day li', { hasText: 'Chocolate squares: 70 kcal' }).waitFor();
    expect(await app.locator('#status').textContent()).toBe('completed');
  });

  test('says why a request is rejected', async () => {
    await app.locator('#search').fill('x'.repeat(201));
    await app.locator('#status', { hasText: 'longer than 200 characters' }).waitFor();
  });

  test('serves no file but its own', async () => {
    for (const path of ['/server.mjs', '/client/../../../package.json', '/client/../package.json']) {
      const { status } = await fetch(`${origin}${path}`);
      expect([path, status]).toEqual([path, 404]);
    }
  });

  test('an EventSource follows a scan by its streamUrl', async () => {
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ clientId: 'test', contentType: 'image/jpeg' });
    const answer = await fetch(`${service.url}/v1/scan/image`, { method: 'POST', headers, body });
    const created = (await answer.json()) as CreatedScan;
    const seen = app.evaluate(`(() => { ${follow}
      return new Promise((resolve) => {
        const seen = [];
        follow(${JSON.stringify(created)}, (status, result) => {
          seen.push(status);
          if (status === 'completed' || status === 'failed') resolve([...seen, result?.name]);
        });
      }); })()`);
    await fetch(created.uploadUrl, {
      method: 'PUT',
      headers: { 'content-type': 'image/jpeg' },
      body: await readFile(PHOTO),
    });
    expect(((await seen) as string[]).slice(-2)).toEqual(['completed', 'Chocolate squares']);
  });
});
