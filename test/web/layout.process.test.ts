import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGE_CODES } from '../../web/src/texts/languages.ts';
import { noBrowser } from '../support/chromium.ts';
import { type OpenPage, openPage } from './support/open-page.ts';

const SMALLEST = { width: 320, height: 640 };

/** How many lines the word of each tab has, and whether it stays inside its tab. */
const MEASURE = `[...document.querySelectorAll('nav a')].map((tab) => {
  const words = document.createRange();
  words.selectNodeContents(tab.lastChild);
  const [outer, inner] = [tab.getBoundingClientRect(), words.getBoundingClientRect()];
  return {
    lines: words.getClientRects().length,
    fits: inner.left >= outer.left - 0.5 && inner.right <= outer.right + 0.5,
    right: outer.right,
  };
})`;

describe.skipIf(noBrowser !== undefined)('on the smallest phone', () => {
  let open: OpenPage;
  beforeAll(async () => {
    open = await openPage({ context: { viewport: SMALLEST } });
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  test.each(LANGUAGE_CODES)('five tabs have their words in one line each: %s', async (language) => {
    const { page } = open;
    await page.evaluate(
      (chosen) => localStorage.setItem('larder-preferences', JSON.stringify({ language: chosen })),
      language,
    );
    await page.reload();
    await expect.poll(() => page.evaluate<string>('document.documentElement.lang')).toBe(language);
    const tabs = page.locator('nav a');
    await expect.poll(() => tabs.count()).toBe(5);
    const boxes = await page.evaluate<{ lines: number; fits: boolean; right: number }[]>(MEASURE);
    expect(boxes.map(({ lines, fits }) => ({ lines, fits }))).toEqual(
      boxes.map(() => ({ lines: 1, fits: true })),
    );
    expect(boxes.at(-1)!.right).toBeLessThanOrEqual(SMALLEST.width);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(SMALLEST.width);
  });
});
