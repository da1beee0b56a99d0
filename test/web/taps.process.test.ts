import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { askAs, type OpenPage, openPage } from './support/open-page.ts';

const FIELD = 'Search foods, barcode or text';
const CODE = '4006381333931';

// docs/benchmarks.md has these numbers.
describe.skipIf(noBrowser !== undefined)('taps from the day to the diary, on a phone', () => {
  let open: OpenPage;
  const field = () => open.page.getByRole('combobox', { name: FIELD });
  const option = (name: RegExp) => open.page.getByRole('option', { name }).first();
  const inRegion = (region: string, name: RegExp) =>
    open.page.getByRole('region', { name: region }).getByRole('button', { name }).first();

  beforeAll(async () => {
    open = await openPage({ context: { viewport: SIZES[0][1] } });
    const { page } = open;
    const { person } = (await askAs(page, 'GET', '/v1/session')) as { person: { id: string } };
    const user = `/v1/users/${person.id}`;
    const food = { servingSize: { value: 30, unit: 'g' }, macros: { energy: 129 } };
    const made = await askAs(page, 'POST', '/v1/foods', { ...food, name: 'Rye crackers', barcode: CODE });
    const { id: foodId } = made as { id: string };
    await askAs(page, 'POST', `${user}/favourites`, {
      name: 'Rye crackers',
      foodId,
      quantity: 30,
      unit: 'g',
    });
    const yesterday = await page.evaluate<string>(`new Date(Date.now() - 864e5).toLocaleDateString('sv-SE')`);
    const soup = { mealType: 'dinner', foodName: 'Soup', calories: 150, quantity: 1, unit: 'serving' };
    await askAs(page, 'POST', `${user}/diary/batch`, [{ ...soup, date: yesterday }]);
    await page.reload();
    await open.meal('Breakfast').waitFor();
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  /** Counts taps until the meal has one more entry. */
  async function tapsTo(meal: string, work: () => Promise<void>): Promise<number> {
    const before = await open.entries(meal).count();
    await open.taps();
    await work();
    await expect.poll(() => open.entries(meal).count()).toBe(before + 1);
    const taps = await open.taps();
    await open.page.getByRole('dialog').waitFor({ state: 'hidden' });
    return taps;
  }

  test('a food from search: 2 by its usual amount, 3 by another one', async () => {
    const { button } = open;
    const usual = await tapsTo('Lunch', async () => {
      await button('Add to lunch').click();
      await field().fill('banana');
      await option(/^Banana/)
        .getByTitle(/^Add the usual amount of Banana/)
        .click();
    });
    const other = await tapsTo('Lunch', async () => {
      await button('Add to lunch').click();
      await field().fill('banana');
      await option(/^Banana/).click();
      await open.page.keyboard.type('2');
      await button('Add').click();
    });
    expect([usual, other]).toEqual([2, 3]);
  });

  test('a food that was eaten before, a favourite, a barcode that is typed, a sentence: 2 each', async () => {
    const { button } = open;
    const add = (meal: string) => button(`Add to ${meal.toLowerCase()}`).click();
    const counts = {
      recent: await tapsTo('Lunch', async () => {
        await add('Lunch');
        await inRegion('Recent', /^Soup/).click();
      }),
      favourite: await tapsTo('Lunch', async () => {
        await add('Lunch');
        await inRegion('Favourites', /^Rye crackers/).click();
      }),
      barcode: await tapsTo('Lunch', async () => {
        await add('Lunch');
        await field().fill(CODE);
        await option(/^Rye crackers/)
          .getByTitle(/^Add the usual amount/)
          .click();
      }),
      sentence: await tapsTo('Lunch', async () => {
        await add('Lunch');
        await field().fill('200 g potatoes');
        await button('Add 1 food').click();
      }),
    };
    expect(counts).toEqual({ recent: 2, favourite: 2, barcode: 2, sentence: 2 });
  });

  test('the meal of yesterday: 1', async () => {
    const { meal } = open;
    const copied = await tapsTo('Dinner', () =>
      meal('Dinner').getByRole('button', { name: 'Copy from yesterday' }).click(),
    );
    expect(copied).toBe(1);
  });

  test('another amount of an entry: 3, with the one into its field', async () => {
    const { page, button, entries, taps } = open;
    await taps();
    await entries('Dinner').first().getByRole('button', { name: /^Soup/ }).click();
    await page.getByRole('textbox', { name: 'Amount' }).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('2');
    await button('Save').click();
    await expect.poll(() => entries('Dinner').first().textContent()).toMatch(/^Soup2 servings/);
    expect(await taps()).toBe(3);
  });
});
