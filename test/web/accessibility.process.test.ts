import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openIdSettings, openPageService, type PageService } from '../../tools/page/page-service.ts';
import { addSampleData } from '../../tools/page/sample-data.ts';
import { VIEWS } from '../../tools/page/views.ts';
import { MORE_SIZES, openView, SIZES, THEMES } from '../../tools/page/visit.ts';
import { noBrowser, startBrowser } from '../support/chromium.ts';

/** Run by the debugger of the browser, which the page's policy does not reach: scripts of the page stay forbidden. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RUN = `axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } })
  .then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`;
/** Another theme changes colours alone. */
const RUN_COLOURS = RUN.replace('resultTypes', "runOnly: ['color-contrast'], resultTypes");
const MIN_TARGET_PX = 44;
/** Buttons and fields that a thumb would miss. */
const SMALL_TARGETS = `[...document.querySelectorAll('button, select, summary, a.button, nav a, input')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.visually-hidden, .hidden-input, .console nav'))
  .map((each) => [['checkbox', 'radio'].includes(each.type) ? each.closest('label, li') : each])
  .filter(([each]) => each.getBoundingClientRect().height < ${MIN_TARGET_PX} - 0.5)
  .map(([each]) => each.outerHTML.slice(0, 200))`;
const OVERFLOWS = 'document.documentElement.scrollWidth > innerWidth';
/** What the page would do if it could: scripts and styles in the document, another host, being framed. */
const FORBIDDEN = `(async () => {
  const script = document.createElement('script');
  script.textContent = 'window.ran = true';
  document.head.append(script);
  const host = await fetch('https://example.org/').then(() => 'asked', () => 'refused');
  return [window.ran ?? false, host];
})()`;

describe.skipIf(noBrowser !== undefined)('every view, dialog and state', () => {
  let browser: Browser;
  let service: PageService;
  beforeAll(async () => {
    browser = await startBrowser();
    service = await openPageService(await openIdSettings());
    await addSampleData(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  test.each(VIEWS)(
    '$name has no barrier, no error, fits the screen, and asks no other host',
    async (view) => {
      const faults: string[] = [];
      const page = await openView(
        browser,
        service,
        view,
        { viewport: SIZES.phone, theme: 'light' },
        (opened) => {
          opened.on('console', (message) => {
            // Some views are about requests that fail.
            if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
              faults.push(message.text());
          });
          opened.on('pageerror', (error) => faults.push(String(error)));
          opened.on('request', (request) => {
            const { origin, protocol } = new URL(request.url());
            if (protocol.startsWith('http') && origin !== service.url) faults.push(request.url());
          });
        },
      );
      await page.evaluate(AXE);
      for (const size of [SIZES.phone, SIZES.desktop]) {
        await page.setViewportSize(size);
        for (const theme of THEMES) {
          await page.emulateMedia({ colorScheme: theme });
          expect(await page.evaluate(theme === 'light' ? RUN : RUN_COLOURS)).toEqual([]);
        }
      }
      for (const size of [SIZES.phone, ...Object.values(MORE_SIZES)]) {
        await page.setViewportSize(size);
        expect([size, await page.evaluate(OVERFLOWS)]).toEqual([size, false]);
      }
      await page.setViewportSize(SIZES.phone);
      expect(await page.evaluate(SMALL_TARGETS)).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  test.each(['/', '/console'])(
    'the policy of %s forbids scripts in the document and other hosts',
    async (path) => {
      const context = await browser.newContext();
      await service.signIn(context);
      const page = await context.newPage();
      await page.goto(service.url + path);
      expect(await page.evaluate(FORBIDDEN)).toEqual([false, 'refused']);
      await context.close();
    },
  );
});
