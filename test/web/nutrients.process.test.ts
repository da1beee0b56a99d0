import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { askAs, type OpenPage, openPage } from './support/open-page.ts';

describe.skipIf(noBrowser !== undefined).each(SIZES)('nutrients, on %s', (_, viewport) => {
  let open: OpenPage;
  let userId: string;

  beforeAll(async () => {
    open = await openPage({ context: { viewport } });
    const { page } = open;
    const session = (await askAs(page, 'GET', '/v1/session')) as { person: { id: string } };
    userId = session.person.id;
    const date = await page.evaluate<string>(`new Intl.DateTimeFormat('sv-SE').format(new Date())`);
    await askAs(page, 'PUT', `/v1/users/${userId}/goals`, {
      calories: 2000,
      protein: 100,
      nutrients: { iron: 10 },
    });
    const oats = {
      foodName: 'Oats',
      calories: 190,
      protein: 6,
      carbs: 30,
      fat: 4,
      nutrients: { iron: 2, magnesium: 60 },
    };
    const milk = {
      foodName: 'Milk',
      calories: 130,
      protein: 7,
      carbs: 10,
      fat: 7,
      nutrients: { calcium: 240 },
    };
    const canteen = { foodName: 'Canteen', calories: 640 };
    await askAs(page, 'POST', `/v1/users/${userId}/diary/batch`, [
      { date, mealType: 'breakfast', ...oats },
      { date, mealType: 'breakfast', ...milk },
      { date, mealType: 'breakfast', ...milk },
      { date, mealType: 'lunch', ...canteen },
    ] as object);
    await open.entries('Lunch').first().waitFor();
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  const sheet = () => open.page.getByRole('dialog');
  const row = (name: string) =>
    sheet()
      .locator('.nutrient')
      .filter({ hasText: new RegExp(`^${name}`) });
  const close = () => sheet().getByRole('button', { name: 'Close' }).click();

  test('the day tells all that is known, against goals, and what nothing states is unknown', async () => {
    await open.button('All nutrients').click();
    await expect.poll(() => row('Energy').textContent()).toMatch(/1,090 kcal \/ 2,000 kcal$/);
    // The canteen states no protein, so that the sum is a lower bound.
    expect(await row('Protein').textContent()).toMatch(/at least 20 g \/ 100 g$/);
    expect(await row('Iron').textContent()).toMatch(/at least 2 mg \/ 10 mg$/);
    await sheet()
      .getByText(/^No food states: .*Vitamin D/)
      .waitFor();
    expect(await row('Vitamin D').count()).toBe(0);
    const magnesium = sheet()
      .locator('.food-facts div')
      .filter({ hasText: /^Magnesium/ });
    await expect
      .poll(() => magnesium.textContent())
      .toBe('Magnesiumlogged 60 mg · reference 300–350 mg · stated by 1 of 4 foods');
    await sheet().getByText('It is shown for comparison and is no advice.').waitFor();
    await row('Protein').click();
    const most = sheet().getByRole('list', { name: 'Protein: most of it from' }).getByRole('listitem');
    expect(await most.allTextContents()).toEqual(['Milk14 g 70%', 'Oats6 g 30%']);
    await close();
  });

  test('a meal tells its share in the goals of the day, and which macros its energy is of', async () => {
    await open
      .meal('Breakfast')
      .getByRole('button', { name: /nutrients of Breakfast/ })
      .click();
    await expect
      .poll(() => row('Protein').textContent())
      .toBe('Protein18% of the energy20 g · 20% of the day’s goal');
    await close();
    await open
      .meal('Lunch')
      .getByRole('button', { name: /nutrients of Lunch/ })
      .click();
    await expect.poll(() => row('Energy').textContent()).toContain('640 kcal');
    await sheet()
      .getByText(/^No food states: Protein, /)
      .waitFor();
    await close();
  });

  test('an entry tells its own, also where the service cannot be reached', async () => {
    await open.page.context().setOffline(true);
    const oats = open.entries('Breakfast').filter({ hasText: 'Oats' });
    await oats.getByRole('button').first().click();
    await oats.getByRole('button', { name: 'All nutrients' }).click();
    await expect.poll(() => row('Iron').textContent()).toBe('Iron2 mg · 20% of the day’s goal');
    await close();
    await open.page.context().setOffline(false);
    await open.page.reload();
    await open.entries('Lunch').first().waitFor();
  });

  test('a food tells those of the amount that is typed', async () => {
    await open.button('Add to dinner').click();
    await open.page.getByLabel('Search foods').fill('rolled oats');
    await open.page.getByRole('option').first().click();
    await open.page.getByLabel('Amount').fill('2');
    await open.page.locator('.amount-form').getByRole('button', { name: 'All nutrients' }).click();
    await open.page.getByRole('dialog').last().locator('.nutrient').filter({ hasText: 'Fiber' }).waitFor();
    await open.page.getByRole('dialog').last().getByRole('button', { name: 'Close' }).click();
    await open.page
      .getByRole('dialog', { name: /^Add to/ })
      .getByRole('button', { name: 'Close' })
      .click();
  });

  test('a quick add computes its energy of all three macros, and typed energy wins', async () => {
    const { page, button } = open;
    const field = (name: string) => page.getByRole('form', { name: 'Quick add' }).getByLabel(name);
    await button('Add to dinner').click();
    await page.getByLabel('Search foods').fill('');
    await button('Quick add').click();
    await field('Protein').fill('10');
    await field('Carbs').fill('20');
    await page.getByText('Type the energy, or all three of the macros').waitFor();
    await field('Fat').fill('5');
    await page.getByText('Computed from the macros: 165 kcal').waitFor();
    await field('What was it?').fill('Stew');
    await button('Add').click();
    const stew = open.entries('Dinner').filter({ hasText: 'Stew' });
    await expect.poll(() => stew.textContent()).toContain('165 kcal');
    await button('Add to dinner').click();
    await button('Quick add').click();
    for (const [name, value] of Object.entries({ Energy: '200', Protein: '10', Carbs: '20', Fat: '5' }))
      await field(name).fill(value);
    await field('What was it?').fill('Wine sauce');
    await button('Add').click();
    const sauce = open.entries('Dinner').filter({ hasText: 'Wine sauce' });
    await expect.poll(() => sauce.textContent()).toContain('200 kcal');
  });

  test('a weight is entered from the day in two taps', async () => {
    await open.taps();
    await open.button('Enter weight').click();
    await open.page.getByRole('textbox', { name: 'Weight' }).fill('72.4');
    await open.button('Save').click();
    await open.page.getByText('Weight saved').waitFor();
    expect(await open.taps()).toBe(2);
    expect(await sheet().count()).toBe(0);
  });

  test('the day is printed with its entries, sums and goals, and without the tools', async () => {
    const { page } = open;
    await page.getByRole('link', { name: 'Print' }).click();
    await open.button('Day').click();
    await page.getByRole('heading', { name: 'Food diary of Ann' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
    expect(await open.button('Print').isVisible()).toBe(false);
    const cells = (name: string) => page.getByRole('row', { name }).getByRole('cell').allTextContents();
    expect(await cells('Oats')).toEqual(['Oats', '', '190', '6', '30', '4']);
    expect(await cells('Canteen')).toEqual(['Canteen', '', '640', '?', '?', '?']);
    expect(await cells('Total')).toEqual(['1,455', '≥ 40', '≥ 90', '≥ 28']);
    expect(await page.getByRole('row', { name: /^Goal/ }).getByRole('cell').first().textContent()).toBe(
      '2,000',
    );
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('link', { name: 'Back' }).click();
    await open.meal('Breakfast').waitFor();
  });

  test('nothing failed on the way, and no other host was asked', () => {
    expect(open.faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED|Failed to fetch/.test(fault))).toEqual(
      [],
    );
  });
});
