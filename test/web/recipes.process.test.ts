import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { type OpenPage, openPage } from './support/open-page.ts';

describe.skipIf(noBrowser !== undefined).each(SIZES)('recipes, on %s', (_, viewport) => {
  let open: OpenPage;
  beforeAll(async () => {
    open = await openPage({ context: { viewport } });
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  const field = (name: string) => open.page.getByRole('textbox', { name, exact: true });
  const text = (name: string) => open.page.getByRole('textbox', { name, exact: true });
  const lines = () => open.page.getByRole('region', { name: 'Understood as' }).getByRole('listitem');
  const preview = () => open.page.locator('.preview').textContent();

  test('lines are read one by one, and what is not understood is marked', async () => {
    await open.page.getByRole('link', { name: 'Recipes' }).click();
    await open.page.getByRole('link', { name: 'New recipe' }).click();
    await text('Name').fill('Lentil soup');
    await text('Ingredients').fill('250 g red lentils\n\nFor the pot:\n2 tbsp olive oil\n3 xyzzy');
    await open.page.getByText('1 line is not understood').waitFor();
    await expect.poll(() => lines().count()).toBe(3);
    await expect.poll(() => lines().nth(0).textContent()).toContain('895 kcal');
    await lines().nth(2).getByRole('textbox').fill('70');
    await lines().nth(2).getByRole('textbox').press('Tab');
    await open.button('Save').waitFor();
  });

  test('a reload loses nothing', async () => {
    await open.page.reload();
    await open.page.getByText('You had begun this form.').waitFor();
    await expect.poll(() => text('Name').inputValue()).toBe('Lentil soup');
    await open.button('Save').waitFor();
  });

  test('a saved recipe shows what a serving has', async () => {
    await field('Servings').fill('4');
    await field('Cooked weight, if known').fill('1200');
    await open.button('Save').click();
    await open.page.getByRole('heading', { name: 'Lentil soup' }).waitFor();
    const table = open.page.getByRole('table', { name: 'In a serving' });
    await expect.poll(() => table.getByRole('row', { name: /^Energy/ }).textContent()).toBe('Energy301 kcal');
    await expect.poll(() => table.getByRole('row', { name: /^Protein/ }).textContent()).toContain('at least');
  });

  test('a portion is logged by its weight, and taken back', async () => {
    await open.page.getByLabel('Unit').selectOption('g');
    await expect.poll(() => field('Amount').inputValue()).toBe('300');
    await open.page.getByLabel('Meal').selectOption('lunch');
    await open.button('Add').click();
    await open.page.getByText('Lentil soup added').waitFor();
    await open.button('Undo').click();
    await open.page.getByRole('link', { name: 'Today' }).click();
    await expect.poll(() => open.entries('Lunch').count()).toBe(0);
  });

  test('amounts are changed for one portion, and the recipe stays', async () => {
    await open.page.getByRole('link', { name: 'Recipes' }).click();
    await open.page.getByRole('link', { name: /^Lentil soup/ }).click();
    await open.page.getByLabel('Meal').selectOption('dinner');
    const before = Number.parseInt((await preview())!, 10);
    await open.page.getByText('Change amounts this once').click();
    await field('Olive oil').fill('0');
    await expect.poll(async () => Number.parseInt((await preview())!, 10)).toBeLessThan(before - 50);
    await open.button('Add').click();
    await open.page.getByText('Lentil soup (changed) added').waitFor();
    expect(Number.parseInt((await preview())!, 10)).toBe(before);
    await open.page.getByRole('link', { name: 'Today' }).click();
    await open.entries('Dinner').waitFor();
    await expect.poll(() => open.entries('Dinner').textContent()).toContain('Lentil soup (changed)');
  });

  test('a changed line changes the recipe, and the others stay as they were read', async () => {
    await open.page.getByRole('link', { name: 'Recipes' }).click();
    await open.page.getByRole('link', { name: /^Lentil soup/ }).click();
    await open.page.getByRole('link', { name: 'Edit' }).click();
    await text('Ingredients').fill('500 g red lentils\n2 tbsp olive oil\n3 xyzzy');
    await expect.poll(() => lines().nth(0).textContent()).toContain('1,790 kcal');
    await expect.poll(() => lines().nth(2).textContent()).toContain('70 kcal');
    await open.button('Save').click();
    const table = open.page.getByRole('table', { name: 'In a serving' });
    await expect.poll(() => table.getByRole('row', { name: /^Energy/ }).textContent()).toBe('Energy525 kcal');
  });

  test('a deleted recipe comes back', async () => {
    await open.button('Delete').click();
    await open.page.getByRole('heading', { name: 'Your recipes' }).waitFor();
    await open.button('Undo').click();
    await open.page.getByRole('link', { name: /^Lentil soup/ }).waitFor();
  });

  test('the field that adds finds a recipe once, and a sentence that names it is logged as the recipe', async () => {
    const { page, button, entries } = open;
    await page.getByRole('link', { name: 'Today' }).click();
    const typed = page.getByRole('combobox', { name: 'Search foods, barcode or text' });
    const found = page.getByRole('option', { name: /^Lentil soup/ });
    await button('Add to snacks').click();
    await typed.fill('lentil soup');
    await expect.poll(() => found.first().textContent()).toMatch(/^Lentil soup1 serving525 kcal/);
    await expect
      .poll(async () => (await found.allTextContents()).filter((row) => /serving/.test(row)).length)
      .toBe(1);
    await typed.fill('2 servings of lentil soup');
    const read = page.getByRole('region', { name: 'Read from your text' }).getByRole('listitem');
    await expect.poll(() => read.first().textContent()).toMatch(/1,049 kcal/);
    await button('Add 1 food').click();
    await expect
      .poll(() => entries('Snacks').first().textContent())
      .toMatch(/^Lentil soup2 servings1,049 kcal/);
  });

  test('nothing failed on the way, and no other host was asked', () => {
    expect(open.faults).toEqual([]);
  });
});
