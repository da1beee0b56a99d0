import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPageService, type PageService } from '../../tools/page/page-service.ts';
import { addSampleData } from '../../tools/page/sample-data.ts';
import { openView, SIZES, THEMES, VIEWS } from '../../tools/page/views.ts';
import { noBrowser, startBrowser } from '../support/chromium.ts';

/** Run by the debugger of the browser, which the page's policy does not reach: scripts of the page stay forbidden. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RUN = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`;
/** What the page would do if it could: scripts and styles in the document, another host, being framed. */
const FORBIDDEN = `(async () => {
  const script = document.createElement('script');
  script.textContent = 'window.ran = true';
  document.head.append(script);
  const host = await fetch('https://example.org/').then(() => 'asked', () => 'refused');
  return [window.ran ?? false, host];
})()`;

describe.skipIf(noBrowser !== undefined)('every view', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  describe.each(
    THEMES.flatMap((theme) => Object.entries(SIZES).map(([size, viewport]) => ({ theme, size, viewport }))),
  )('in the $theme theme on a $size', ({ theme, viewport }) => {
    // One for each, since a person may not read without end.
    let service: PageService;
    let page: Page;
    const faults: string[] = [];
    beforeAll(async () => {
      service = await openPageService();
      await addSampleData(service);
      const context = await browser.newContext({
        viewport,
        colorScheme: theme,
        locale: 'en-US',
        reducedMotion: 'reduce',
      });
      await service.signIn(context);
      page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
      });
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol.startsWith('http') && origin !== service.url) faults.push(request.url());
      });
    });
    afterAll(async () => {
      await page?.context().close();
      await service?.[Symbol.asyncDispose]();
    });

    test.each(VIEWS)('$name has no barrier, no error, and asks no other host', async (view) => {
      await openView(page, service.url, view);
      await page.evaluate(AXE);
      expect(await page.evaluate(RUN)).toEqual([]);
      expect(faults.splice(0)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    });
  });

  test.each(['/', '/console'])(
    'the policy of %s forbids scripts in the document and other hosts',
    async (path) => {
      await using service = await openPageService();
      const context = await browser.newContext();
      await service.signIn(context);
      const page = await context.newPage();
      await page.goto(service.url + path);
      expect(await page.evaluate(FORBIDDEN)).toEqual([false, 'refused']);
      await context.close();
    },
  );
});
