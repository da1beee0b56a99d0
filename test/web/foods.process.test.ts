import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { askAs, type OpenPage, openPage } from './support/open-page.ts';

describe.skipIf(noBrowser !== undefined).each(SIZES)('own foods, on %s', (_, viewport) => {
  let open: OpenPage;
  beforeAll(async () => {
    open = await openPage({ context: { viewport } });
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  const field = (name: string) => open.page.getByRole('textbox', { name, exact: true });
  const text = (name: string) => open.page.getByRole('textbox', { name, exact: true });
  const row = (name: RegExp) => open.page.getByRole('list', { name: 'Foods' }).getByRole('button', { name });

  test('an empty list says what own foods are for', async () => {
    await open.page.getByRole('link', { name: 'Foods' }).click();
    await open.page.getByRole('heading', { name: 'Your own foods' }).waitFor();
  });

  test('a form that was left is offered again', async () => {
    await open.button('New food').click();
    await text('Name').fill("Grandma's cake");
    await open.button('Close').click();
    await open.page.reload();
    await open.button('New food').click();
    await open.page.getByText('You had begun this form.').waitFor();
    await expect.poll(() => text('Name').inputValue()).toBe("Grandma's cake");
  });

  test('energy alone is a food', async () => {
    await open.page.getByLabel('Amounts are of').selectOption('serving');
    await field('A serving is').fill('1');
    await open.page.getByRole('dialog').getByLabel('Unit').selectOption('slice');
    await field('It weighs').fill('80');
    await field('Energy').fill('312');
    await open.button('Save').click();
    await row(/^Grandma's cake/).waitFor();
    expect(await row(/^Grandma's cake/).textContent()).toMatch(/1 slice312 kcal$/);
  });

  test('what looks wrong is saved, said, and corrected', async () => {
    await open.button('New food').click();
    await text('Name').fill('Plum jam');
    await text('Barcode').fill('4006381333932');
    await field('Serving size').fill('20');
    await field('Energy').fill('240');
    await field('Carbohydrates').fill('60');
    await open.page.getByText('More nutrients').click();
    await field('Sugars').fill('70');
    await open.button('Save').click();
    await open.page.getByText('The last digit of the barcode does not fit the others.').waitFor();
    await open.page.getByText('A part is larger than its whole, such as sugars').waitFor();
    await text('Barcode').fill('4006381333931');
    await field('Sugars').fill('');
    await open.button('Save').click();
    await row(/^Plum jam/).waitFor();
    await expect.poll(() => row(/^Plum jam/).textContent()).toBe('Plum jam20 g · 400638133393148 kcal');
    await row(/^Plum jam/).click();
    await open.page.getByText('More nutrients').click();
    expect(await field('Sugars').inputValue()).toBe('');
    expect(await field('Carbohydrates').inputValue()).toBe('12');
    await open.button('Close').click();
  });

  test('an impossible food is refused by the form', async () => {
    await open.button('New food').click();
    await text('Name').fill('   ');
    await field('Energy').fill('400');
    await field('Protein').fill('60');
    await field('Fat').fill('60');
    await open.button('Save').click();
    await expect.poll(() => text('Name').inputValue()).toBe('');
    await text('Name').fill('Lead');
    await open.button('Save').click();
    await open.page.getByText('Protein, carbohydrates and fat weigh more than the food itself.').waitFor();
    await field('Fat').fill('900');
    await field('Energy').fill('4,810');
    await open.button('Save').click();
    await open.page.getByText('At most 910.').waitFor();
    await field('Energy').fill('48x');
    await open.button('Save').click();
    await open.page.getByText('Write a number, such as 1.5, 1/2 or 200+50.').waitFor();
    expect(await field('Energy').getAttribute('aria-invalid')).toBe('true');
    await open.button('Close').click();
  });

  test('a food that is opened and saved stays what it was', async () => {
    const { page, button } = open;
    const food = {
      name: 'Crunchy oats',
      servingSize: { value: 50, unit: 'g' },
      macros: { energy: 240.5, protein: 6, fat: 8, carbohydrates: 33 },
    };
    const { id } = (await askAs(page, 'POST', '/v1/foods', food)) as { id: string };
    const known = async () => {
      const { macros, servingSize, per100 } = (await askAs(page, 'GET', `/v1/foods/${id}`)) as {
        macros: object;
        servingSize: { value: number };
        per100: { energy: number };
      };
      return { macros, servingSize, per100 };
    };
    const before = await known();
    await row(/^Crunchy oats/).click();
    await button('Save').click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await known()).toEqual(before);
    await row(/^Crunchy oats/).click();
    await page.getByLabel('Amounts are of').selectOption('100g');
    await expect.poll(() => field('Energy').inputValue()).toBe('481');
    await button('Save').click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const { per100, servingSize } = await known();
    expect([per100.energy, servingSize.value]).toEqual([481, 50]);
  });

  test('the list finds by parts of names', async () => {
    await open.page.getByRole('searchbox', { name: 'Search your foods' }).fill('CAKE grand');
    await row(/^Plum jam/).waitFor({ state: 'detached' });
    expect(await row(/^Grandma's cake/).count()).toBe(1);
    await open.page.getByRole('searchbox').fill('');
  });

  test('a deleted food comes back', async () => {
    await row(/^Grandma's cake/).click();
    await open.button('Delete').click();
    await row(/^Grandma's cake/).waitFor({ state: 'detached' });
    await open.button('Undo').click();
    await row(/^Grandma's cake/).waitFor();
  });

  test('the diary finds it', async () => {
    await open.page.getByRole('link', { name: 'Today' }).click();
    await open.button('Add to snacks').click();
    await open.page.getByRole('combobox', { name: 'Search foods, barcode or text' }).fill('grandma');
    await open.page
      .getByRole('option', { name: /^Grandma's cake/ })
      .first()
      .click();
    await open.button('Add').click();
    await open.entries('Snacks').waitFor();
    await expect.poll(() => open.entries('Snacks').textContent()).toContain('312 kcal');
  });

  test('nothing failed on the way, and no other host was asked', () => {
    expect(open.faults).toEqual([]);
  });
});
