import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPageService, type PageService } from '../../tools/page/page-service.ts';
import { addSampleData } from '../../tools/page/sample-data.ts';
import { VIEWS } from '../../tools/page/views.ts';
import { openView, SIZES } from '../../tools/page/visit.ts';
import { noBrowser, startBrowser } from '../support/chromium.ts';

const NAMES = [
  'today',
  'add-results',
  'add-facts',
  'add-warned',
  'nutrients-day',
  'trends',
  'recipes',
  'recipe-editor',
  'foods',
  'settings',
  'console',
];
const SHOWN = VIEWS.filter(({ name }) => NAMES.includes(name));

interface Box {
  readonly what: string;
  readonly before: number;
  readonly after: number;
}

/** How far each element is from the side where lines begin, and from the other. Charts stay as they are. */
const BOXES = `(() => {
  const isMirrored = document.dir === 'rtl';
  const width = document.documentElement.clientWidth;
  return [...document.querySelectorAll('body *')]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.visually-hidden, svg, .chart'))
    .map((each) => {
      const { left, right } = each.getBoundingClientRect();
      const [before, after] = isMirrored ? [width - right, left] : [left, width - right];
      return { what: each.outerHTML.slice(0, 80), before, after };
    });
})()`;
const OVERFLOWS = 'document.documentElement.scrollWidth > innerWidth';
const TURN = "document.documentElement.dir = document.dir === 'rtl' ? 'ltr' : 'rtl'";
/** Edges are rounded to pixels of the screen. */
const TOLERANCE_PX = 2;

async function boxesIn(page: Page): Promise<Box[]> {
  // Some parts measure themselves after a change of size.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  return page.evaluate<Box[]>(BOXES);
}

interface Layouts {
  readonly straight: readonly Box[];
  readonly mirrored: readonly Box[];
  readonly overflows: boolean;
}

/** Both layouts of a page that has come to rest: answers that arrive between them would move its parts. */
async function layoutsOf(page: Page): Promise<Layouts> {
  for (let straight = await boxesIn(page); ; ) {
    await page.evaluate(TURN);
    const mirrored = await boxesIn(page);
    const overflows = await page.evaluate<boolean>(OVERFLOWS);
    await page.evaluate(TURN);
    const again = await boxesIn(page);
    if (placesOf(again) === placesOf(straight)) return { straight, mirrored, overflows };
    straight = again;
  }
}

function placesOf(boxes: readonly Box[]): string {
  return JSON.stringify(boxes.map(({ before, after }) => [before, after]));
}

describe.skipIf(noBrowser !== undefined)('in a language that is written from right to left', () => {
  let browser: Browser;
  let service: PageService;
  beforeAll(async () => {
    browser = await startBrowser();
    service = await openPageService();
    await addSampleData(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  test.each(SHOWN)('all of $name is mirrored and fits the screen', async (view) => {
    const page = await openView(browser, service, view, { viewport: SIZES.phone, theme: 'light' });
    for (const size of Object.values(SIZES)) {
      await page.setViewportSize(size);
      const { straight, mirrored, overflows } = await layoutsOf(page);
      expect(overflows).toBe(false);
      const moved = straight.filter(({ before, after }, at) => {
        const turned = mirrored[at];
        return (
          turned === undefined ||
          Math.abs(turned.before - before) > TOLERANCE_PX ||
          Math.abs(turned.after - after) > TOLERANCE_PX
        );
      });
      expect(straight.length).toBeGreaterThan(20);
      expect(moved).toEqual([]);
    }
    await page.context().close();
  });

  test('arrow keys go to the day that they point to', async () => {
    const view = VIEWS.find(({ name }) => name === 'today')!;
    const page = await openView(browser, service, view, {
      viewport: SIZES.desktop,
      theme: 'light',
      isRightToLeft: true,
    });
    const heading = page.locator('main h1').first();
    const today = await heading.textContent();
    await page.getByRole('button', { name: 'Previous day' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => heading.textContent()).toContain('Yesterday');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => heading.textContent()).toBe(today);
    await page.context().close();
  });
});
