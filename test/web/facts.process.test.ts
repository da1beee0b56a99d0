import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPageService, type PageService } from '../../tools/page/page-service.ts';
import { SAMPLE_PRODUCTS } from '../../tools/page/sample-products.ts';
import { noBrowser, SIZES, startBrowser } from '../support/chromium.ts';

describe.skipIf(noBrowser !== undefined).each(SIZES)('facts of foods, on %s', (_, viewport) => {
  let service: PageService;
  let browser: Browser;
  let page: Page;
  const open = async (locale: string) => {
    const context = await browser.newContext({ viewport, locale });
    await service.signIn(context);
    const opened = await context.newPage();
    opened.setDefaultTimeout(60_000);
    await opened.goto(service.url);
    return opened;
  };
  beforeAll(async () => {
    service = await openPageService();
    await service.importProducts(SAMPLE_PRODUCTS);
    browser = await startBrowser();
    page = await open('en-US');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const options = () => page.getByRole('listbox', { name: /^(Foods|Lebensmittel)$/ }).getByRole('option');
  const names = async () => (await options().locator('.entry-name').allTextContents()).toSorted();
  const search = async (text: string) => {
    await page.goto(service.url);
    await page.getByRole('button', { name: 'Add to dinner' }).click();
    await page.getByRole('combobox', { name: 'Search foods, barcode or text' }).fill(text);
  };
  const show = async (name: string) => {
    await options().filter({ hasText: name }).first().click();
    await page.locator('.food-facts').first().waitFor();
  };
  const fact = (name: string) =>
    page
      .locator('.food-facts dl > div')
      .filter({ has: page.locator(`dt:text-is("${name}")`) })
      .locator('dd')
      .textContent();
  const warnings = () => page.locator('.warnings p').allTextContents();

  test('a food shows what its source states, and its nutrients beside references', async () => {
    await search('millbrook');
    await show('oat cookies');
    await expect.poll(() => fact('Ingredients')).toMatch(/^Wholegrain oat flakes 52 %/);
    const stated = ['Allergens', 'Traces', 'Suitable', 'Labels', 'Nutri-Score', 'Processing', 'Additives'];
    expect(await Promise.all(stated.map(fact))).toEqual([
      'gluten',
      'milk and nuts',
      'vegan',
      'organic, no palm oil',
      'C',
      'NOVA 3: processed',
      'E500',
    ]);
    expect(await fact('Source')).toContain('openfoodfacts.org Open Database License');
    const link = page.getByRole('link', { name: 'openfoodfacts.org' });
    expect(await link.getAttribute('href')).toBe('https://world.openfoodfacts.org/product/4006381333931');
    // The reference is that of both sexes while the sex is not known.
    await expect.poll(() => fact('Vitamin C')).toBe('60 of 95–110 mg reference');
    // A nutrient that is stated as none is 0, and one that nothing states has no row.
    expect(await fact('Zinc')).toMatch(/^0 of /);
    expect(await page.locator('.food-facts dt:text-is("Iron")').count()).toBe(0);
    await page.getByText(/^Not stated: .*Iron/).waitFor();
    expect(await page.locator('.warnings').count()).toBe(0);
  });

  test('references are those of the sex and age that were stated, and of the authority of the measures', async () => {
    const settings = `/v1/users/${service.ann}/settings`;
    await service.ask('PATCH', settings, { body: { sex: 'female', birthYear: 1990 }, measures: 'us' });
    await search('millbrook');
    await show('oat cookies');
    await expect.poll(() => fact('Vitamin C')).toBe('60 of 75 mg reference');
    await page.getByText(/^Reference: intake of a day for women of \d+ years, by NIH/).waitFor();
    await service.ask('PATCH', settings, { body: null, measures: 'metric' });
  });

  test('diet and allergens are chosen in the settings, and kept with the person', async () => {
    await page.goto(`${service.url}/app/settings`);
    const card = page.getByRole('region', { name: 'Diet and allergens' });
    await card.getByLabel('Diet').selectOption({ label: 'vegan' });
    await card.getByLabel('milk').check();
    await card.getByLabel('gluten').check();
    await expect
      .poll(() => service.ask('GET', `/v1/users/${service.ann}/settings`))
      .toMatchObject({ diet: 'vegan', allergens: ['milk', 'gluten'] });
  });

  test('the search shows what is stated to fit, says that others are hidden, and shows them when asked', async () => {
    await search('millbrook');
    await expect.poll(names).toEqual(['Millbrook date cookies']);
    await page.getByText('Only foods that are stated to fit: vegan and without milk and gluten.').waitFor();
    await page
      .getByText(/^.*\d+ of the first 20 are hidden: they do not fit, or that is unknown\.$/)
      .waitFor();
    await page.getByRole('button', { name: 'Show all foods' }).click();
    await expect.poll(names).toContain('Millbrook butter cookiesmay not fit');
    expect(await names()).toContain('Millbrook date cookies');
    expect(await names()).toContain('Millbrook secret cookiesmay not fit');
    await page.getByRole('button', { name: 'Show only those that fit' }).click();
    await expect.poll(names).toEqual(['Millbrook date cookies']);
  });

  test('a search that finds nothing that fits says so, and own foods are found whatever they state', async () => {
    await search('banana');
    await page.getByText(/are hidden: they do not fit, or that is unknown/).waitFor();
    expect(await options().count()).toBe(0);
    expect(await page.getByText('No food is called').count()).toBe(0);
    await service.ask('POST', '/v1/foods', {
      name: 'My banana bread',
      servingSize: { value: 100, unit: 'g' },
      macros: { energy: 250, protein: 4, fat: 9, carbohydrates: 40 },
    });
    await search('banana');
    await expect.poll(names).toEqual(['My banana bread']);
  });

  test.each([
    ['butter', ['States milk and gluten', 'Not vegan, as its source reads it']],
    ['oat cookies', ['States gluten', 'May contain traces of milk']],
    ['secret', ['Whether it is vegan is not stated', 'Allergens are not stated']],
    ['date', ['Does not state milk and gluten. That is no promise: read the label.']],
  ])('%s warns of what it states', async (name, expected) => {
    await search('millbrook');
    await page.getByRole('button', { name: 'Show all foods' }).click();
    await options().filter({ hasText: 'butter' }).waitFor();
    await show(name);
    await expect.poll(warnings).toEqual(expected);
  });

  test('a scanned code warns before it is opened', async () => {
    await search('3017620422003');
    await expect.poll(warnings).toEqual(['States milk and gluten', 'Not vegan, as its source reads it']);
    expect(await options().count()).toBe(1);
  });

  test('another device of the person warns in its language', async () => {
    const first = page;
    page = await open('de-DE');
    await page.getByRole('button', { name: 'Zum Abendessen hinzufügen' }).click();
    await page.getByRole('combobox', { name: 'Lebensmittel, Strichcode oder Text' }).fill('3017620422003');
    await expect
      .poll(warnings)
      .toEqual(['Enthält laut Angabe: Milch und Gluten', 'Nach Angabe der Quelle nicht vegan']);
    await options().first().click();
    await expect.poll(() => fact('Zutaten')).toBe('Wheat flour, sugar, butter');
    await page.context().close();
    page = first;
  });

  test('an import without facts leaves none', async () => {
    const facts = () => service.ask<{ facts?: object }>('GET', '/v1/foods/off:3017620422003?include=facts');
    expect(await facts()).toHaveProperty('facts');
    await service.importProducts(SAMPLE_PRODUCTS, 'none');
    await expect.poll(facts).not.toHaveProperty('facts');
  });
});
