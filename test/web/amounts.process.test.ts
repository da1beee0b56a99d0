import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { askAs, type OpenPage, openPage } from './support/open-page.ts';

const FIELD = 'Search foods, barcode or text';

describe.skipIf(noBrowser !== undefined).each(SIZES)('amounts, on %s', (_, viewport) => {
  let open: OpenPage;
  let userId: string;
  const field = () => open.page.getByRole('combobox', { name: FIELD });
  const option = (name: RegExp) => open.page.getByRole('option', { name }).first();
  const question = () => open.page.getByRole('alert').filter({ hasText: 'Which is right?' });

  beforeAll(async () => {
    open = await openPage({ context: { viewport } });
    const { page } = open;
    userId = ((await askAs(page, 'GET', '/v1/session')) as { person: { id: string } }).person.id;
    const yogurt = {
      name: 'House yogurt',
      servingSize: { value: 1, unit: 'container', grams: 150, label: '1 container (150 g)' },
      macros: { energy: 90, protein: 5, fat: 3, carbohydrates: 10 },
    };
    await askAs(page, 'POST', '/v1/foods', yogurt);
    await askAs(page, 'POST', '/v1/foods', { ...yogurt, name: 'House kefir' });
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  test('a large amount is asked about once, with the unit that was probably meant', async () => {
    const { page, button, entries } = open;
    await button('Add to breakfast').click();
    await field().fill('house yogurt');
    await option(/^House yogurt/).click();
    await page.getByRole('textbox', { name: 'Amount' }).fill('200');
    await button('Add').click();
    await expect.poll(() => question().textContent()).toContain('30,000 g');
    await question().getByRole('button', { name: '200 g' }).click();
    await expect.poll(() => entries('Breakfast').first().textContent()).toMatch(/^House yogurt200 g120 kcal/);
  });

  test('one tap on + adds the usual amount of a found food', async () => {
    const { button, entries, taps } = open;
    await button('Add to lunch').click();
    await field().fill('house kefir');
    await taps();
    await option(/^House kefir/)
      .getByTitle('Add the usual amount of House kefir')
      .click();
    await expect.poll(() => entries('Lunch').first().textContent()).toMatch(/^House kefir150 g90 kcal/);
    expect(await taps()).toBe(1);
  });

  test('a found food is starred by one tap, and shows its nutrients by another', async () => {
    const { page, button } = open;
    await button('Add to lunch').click();
    await field().fill('house kefir');
    await option(/^House kefir/)
      .getByTitle('Make House kefir a favourite')
      .click();
    await option(/^House kefir/)
      .getByTitle('House kefir is a favourite: remove it')
      .waitFor();
    await option(/^House kefir/)
      .getByTitle('All nutrients')
      .click();
    await page.getByRole('dialog', { name: 'House kefir' }).getByText('Protein').first().waitFor();
    await page.getByRole('dialog', { name: 'House kefir' }).getByRole('button', { name: 'Close' }).click();
    await field().fill('');
    await page.getByRole('region', { name: 'Favourites' }).getByText('House kefir').waitFor();
    await page.keyboard.press('Escape');
  });

  test('amounts of a tray are changed before all of it is added', async () => {
    const { page, button, entries } = open;
    await button('Add to dinner').click();
    await button('Pick several').click();
    for (const name of ['house yogurt', 'house kefir']) {
      await field().fill(name);
      await option(new RegExp(`^${name}`, 'i')).click();
    }
    await page.getByRole('textbox', { name: /House yogurt/ }).fill('50+50');
    await button(/^Add 2 foods/).click();
    await expect.poll(() => entries('Dinner').count()).toBe(2);
    const rows = (await entries('Dinner').allTextContents()).toSorted();
    expect(rows).toEqual([
      expect.stringMatching(/^House kefir150 g90 kcal/),
      expect.stringMatching(/^House yogurt100 g60 kcal/),
    ]);
  });

  test('a large line of a recipe is asked about, and the grams that were meant are written', async () => {
    const { page, button } = open;
    await page.getByRole('link', { name: 'Recipes' }).click();
    await page.getByRole('link', { name: 'New recipe' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tzatziki');
    await page.getByRole('textbox', { name: 'Servings' }).fill('2');
    await page.getByRole('textbox', { name: 'Ingredients' }).fill('200 containers house yogurt');
    const lines = page.getByRole('region', { name: 'Understood as' }).getByRole('listitem');
    await expect.poll(() => lines.first().textContent()).toContain('18,000 kcal');
    await button('Save').click();
    await question().getByRole('button', { name: '200 g' }).click();
    const table = page.getByRole('table', { name: 'In a serving' });
    await expect.poll(() => table.getByRole('row', { name: /^Energy/ }).textContent()).toBe('Energy60 kcal');
    await page.getByRole('link', { name: 'Today' }).click();
  });

  test('"1,5" is one and a half in German, and in a draft that was typed in English', async () => {
    const { page } = open;
    const setLanguage = (language: string) =>
      askAs(page, 'PATCH', `/v1/users/${userId}/settings`, { language });
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    await link('Recipes').click();
    await link('New recipe').click();
    await page.getByRole('textbox', { name: 'Servings' }).fill('1.125');
    await setLanguage('de');
    await link('Rezepte').click();
    await link('Neues Rezept').click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Portionen' }).inputValue()).toBe('1,125');
    await link('Heute').click();
    await page.getByRole('button', { name: 'Zu den Snacks hinzufügen' }).click();
    await page.getByRole('combobox', { name: 'Lebensmittel, Strichcode oder Text' }).fill('house yogurt');
    await option(/^House yogurt/).click();
    await page.getByLabel('Einheit').selectOption('container');
    await page.getByRole('textbox', { name: 'Menge' }).fill('1,5');
    await page.getByRole('button', { name: 'Hinzufügen', exact: true }).click();
    const snacks = open.entries('Snacks').first();
    await expect.poll(() => snacks.textContent()).toMatch(/135\s?kcal/);
    await setLanguage('en');
    await open.button('Add to snacks').waitFor();
  });

  test('nothing failed on the way, and no other host was asked', () => {
    expect(open.faults).toEqual([]);
  });
});
