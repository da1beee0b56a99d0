import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { askAs, endSessionAt, type OpenPage, openPage } from './support/open-page.ts';

const FIELD = 'Search foods, barcode or text';
const CODE = '4006381333931';

describe.skipIf(noBrowser !== undefined).each(SIZES)('adding, on %s', (_, viewport) => {
  let open: OpenPage;
  const field = () => open.page.getByRole('combobox', { name: FIELD });
  const option = (name: RegExp) => open.page.getByRole('option', { name }).first();
  const recent = (name: RegExp) =>
    open.page.getByRole('region', { name: 'Recent' }).getByRole('button', { name });

  beforeAll(async () => {
    open = await openPage({ context: { viewport } });
    const { page } = open;
    const { person } = (await askAs(page, 'GET', '/v1/session')) as { person: { id: string } };
    const food = { servingSize: { value: 30, unit: 'g' }, macros: { energy: 129 } };
    await askAs(page, 'POST', '/v1/foods', { ...food, name: 'Banana crackers', barcode: CODE });
    const yesterday = await page.evaluate<string>(`new Date(Date.now() - 864e5).toISOString().slice(0, 10)`);
    const entries = ['Soup', 'Bread'].map((foodName) => ({
      ...{ date: yesterday, mealType: 'lunch', foodName, calories: 150, quantity: 1, unit: 'serving' },
    }));
    await askAs(page, 'POST', `/v1/users/${person.id}/diary/batch`, entries as object);
    await page.reload();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') process.stderr.write(await open.page.locator('body').innerText());
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  test('the meal of yesterday takes two taps', async () => {
    const { page, button, entries, taps } = open;
    await taps();
    await button('Add to lunch').click();
    await page.getByRole('region', { name: 'Yesterday: Lunch' }).getByRole('button').click();
    await expect.poll(() => entries('Lunch').count()).toBe(2);
    expect(await taps()).toBe(2);
  });

  test('what was eaten before takes one tap in the dialog, with the last amount, and is undone', async () => {
    const { button, entries, taps } = open;
    await button('Add to dinner').click();
    await taps();
    await recent(/^Soup/).click();
    await expect.poll(() => entries('Dinner').first().textContent()).toMatch(/^Soup1 serving150 kcal/);
    expect(await taps()).toBe(1);
    await button('Undo').click();
    await expect.poll(() => entries('Dinner').count()).toBe(0);
  });

  test('"Undo" is of what was done last, also while an earlier write has no answer', async () => {
    const { page, button, entries } = open;
    const answered = Promise.withResolvers<void>();
    const held = /\/diary\//;
    await page.route(held, async (route) => {
      await answered.promise;
      await route.fallback();
    });
    for (const name of ['Bread', 'Soup']) {
      await entries('Lunch').filter({ hasText: name }).getByRole('button').first().click();
      await button('Delete').click();
      await expect.poll(() => entries('Lunch').filter({ hasText: name }).count()).toBe(0);
    }
    await button('Undo').click();
    answered.resolve();
    await expect.poll(() => entries('Lunch').allTextContents()).toEqual([expect.stringMatching(/^Soup/)]);
    await page.unroute(held);
  });

  test('a barcode that is typed finds its food', async () => {
    const { page, button, entries } = open;
    await button('Add to snacks').click();
    await field().fill(CODE);
    await option(/^Banana crackers/).click();
    await button('Add').click();
    await expect.poll(() => entries('Snacks').first().textContent()).toMatch(/^Banana crackers30 g129 kcal/);
    // It is shown before the service has answered, and the dialog closes then.
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  test('own foods come first, then plain ones, and keys alone add one', async () => {
    const { page, button, entries } = open;
    await button('Add to breakfast').press('Enter');
    const focused = () => page.evaluate<string>(`document.activeElement?.getAttribute('aria-label')`);
    await expect.poll(focused).toBe(FIELD);
    await page.keyboard.type('banana');
    await option(/^Banana crackers/).waitFor();
    const names = await page.getByRole('option').allTextContents();
    expect(names[0]).toMatch(/^Banana crackers/);
    expect(names[1]).toMatch(/^Banana/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const active = await field().getAttribute('aria-activedescendant');
    await expect.poll(() => page.locator(`#${active}`).textContent()).toBe(names[1]);
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Amount' }).waitFor();
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await expect.poll(() => entries('Breakfast').first().textContent()).toMatch(/^Banana2 /);
  });

  test('Escape clears the field first, then closes the dialog', async () => {
    const { page, button } = open;
    await button('Add to breakfast').click();
    await field().fill('oat');
    await page.keyboard.press('Escape');
    await expect.poll(() => field().inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await field().waitFor({ state: 'hidden' });
  });

  test('grams are offered again, for the food and for others', async () => {
    const { page, button, entries } = open;
    const unit = () => page.getByRole('combobox', { name: 'Unit' }).inputValue();
    await button('Add to dinner').click();
    await field().fill('apple');
    await option(/^Apple/).click();
    await expect.poll(() => unit()).not.toBe('g');
    await page.getByRole('combobox', { name: 'Unit' }).selectOption('g');
    await page.getByRole('textbox', { name: 'Amount' }).fill('150');
    await button('Add').click();
    await expect.poll(() => entries('Dinner').first().textContent()).toMatch(/^Apple150 g/);
    await button('Add to dinner').click();
    await field().fill('apple');
    await option(/^Apple/).click();
    expect([await unit(), await page.getByRole('textbox', { name: 'Amount' }).inputValue()]).toEqual([
      'g',
      '150',
    ]);
    await button('Back').click();
    await field().fill('orange');
    await option(/^Orange/).click();
    await expect.poll(() => unit()).toBe('g');
    await button('Close').click();
    // Nothing was typed but a name: nothing is left.
    await expect.poll(() => page.locator('.left-strip').count()).toBe(0);
  });

  test('several foods of several searches are added at once', async () => {
    const { page, button, entries } = open;
    const before = await entries('Snacks').count();
    await button('Add to snacks').click();
    await button('Pick several').click();
    await field().fill('pear');
    await option(/^Pear/).click();
    await field().fill('walnuts');
    await option(/^Walnut/).click();
    await page.getByRole('button', { name: /^Add 2 foods/ }).click();
    await expect.poll(() => entries('Snacks').count()).toBe(before + 2);
  });

  test('a sentence is shown as rows to confirm', async () => {
    const { page, button, entries } = open;
    const before = await entries('Breakfast').count();
    await button('Add to breakfast').click();
    await field().fill('2 eggs and toast');
    await page.getByRole('region', { name: 'Read from your text' }).getByRole('listitem').nth(1).waitFor();
    await button('Add 2 foods').click();
    await expect.poll(() => entries('Breakfast').count()).toBe(before + 2);
  });

  test('amounts, units and foods of a sentence are changed before they are added', async () => {
    const { page, button, entries } = open;
    const before = await entries('Snacks').count();
    await button('Add to snacks').click();
    await field().fill('two eggs, 200 ml milk and a flurb');
    const rows = page.getByRole('region', { name: 'Read from your text' }).getByRole('listitem');
    const amount = (name: RegExp) => page.getByRole('textbox', { name });
    const unit = (name: RegExp) => page.getByRole('combobox', { name });
    await page.getByText('Not understood: “flurb”').waitFor();
    await expect.poll(() => amount(/^Amount, Egg/).inputValue()).toBe('2');
    await unit(/^Unit, Egg/).selectOption('g');
    await expect.poll(() => amount(/^Amount, Egg/).inputValue()).toBe('100');
    await amount(/^Amount, Egg/).fill('150');
    await rows.nth(0).getByText('215 kcal').waitFor();
    await amount(/^Amount, Milk/).fill('300');
    const milk = page.getByRole('combobox', { name: /^Instead of Milk/ });
    await milk.selectOption({ index: 1 });
    const other = await milk.locator('option:checked').textContent();
    await page.reload();
    await button('Go on').click();
    await expect.poll(() => amount(/^Amount, Egg/).inputValue()).toBe('150');
    await rows.nth(1).getByRole('checkbox').uncheck();
    await button('Add 1 food').waitFor();
    await rows.nth(1).getByRole('checkbox').check();
    await button('Add 2 foods').click();
    await expect.poll(() => entries('Snacks').count()).toBe(before + 2);
    const added = await entries('Snacks').allTextContents();
    expect(added).toContainEqual(expect.stringMatching(/^Egg.*150 g215 kcal/));
    expect(added).toContainEqual(expect.stringContaining(other!.split(',')[0]!));
  });

  test('energy and macros alone are an entry; what was left in that form is there again', async () => {
    const { page, button, entries } = open;
    await button('Add to lunch').click();
    await button('Quick add').click();
    await page.getByLabel('What was it?').fill('Canteen');
    await page.getByRole('textbox', { name: 'Energy' }).fill('640');
    await page.goBack();
    await field().waitFor({ state: 'hidden' });
    await button('Go on').click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Energy' }).inputValue()).toBe('640');
    await page.getByRole('textbox', { name: 'Protein' }).fill('30');
    await button('Add').click();
    await expect
      .poll(() => entries('Lunch').filter({ hasText: 'Canteen' }).textContent())
      .toMatch(/640 kcal/);
  });

  test('what is usual at this time of day takes one tap from the day', async () => {
    const { page, button, entries, taps } = open;
    await page.clock.setFixedTime(new Date(new Date().setHours(12)));
    await entries('Lunch').filter({ hasText: 'Soup' }).getByRole('button').first().click();
    await button('Delete').click();
    await button('Add Soup 1 serving to Lunch').waitFor();
    await taps();
    await button('Add Soup 1 serving to Lunch').click();
    await expect.poll(() => entries('Lunch').filter({ hasText: 'Soup' }).count()).toBe(1);
    expect(await taps()).toBe(1);
  });

  test('an amount in ounces is not offered as ounces once measures are metric', async () => {
    const { page, button } = open;
    const { id } = (await askAs(page, 'POST', '/v1/foods', {
      name: 'Applesauce of Ann',
      servingSize: { value: 125, unit: 'g' },
      macros: { energy: 52 },
    })) as { id: string };
    const units = JSON.stringify({ foods: { [id]: 'oz' }, isByMeasure: false });
    await page.evaluate((kept) => localStorage.setItem('larder-units', kept), units);
    await button('Add to snacks').click();
    await field().fill('applesauce of ann');
    await option(/^Applesauce of Ann/).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('125');
    expect(await page.getByRole('combobox', { name: 'Unit' }).inputValue()).toBe('g');
    await button('Close').click();
  });

  test('a text that is too long to search is read, and one that is too long to read is told', async () => {
    const { page, button } = open;
    const text = `For breakfast I had two slices of whole wheat bread with ${'a very thin layer of '.repeat(9)}butter`;
    expect(text.length).toBeGreaterThan(200);
    await button('Add to breakfast').click();
    await field().fill(text);
    await page.getByRole('region', { name: 'Read from your text' }).getByRole('listitem').first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await field().fill('two eggs and toast, '.repeat(101));
    await page.getByRole('alert').filter({ hasText: 'at most 2,000 characters' }).waitFor();
    await field().fill('');
    await button('Close').click();
  });

  test.each(['4000417025006', '747599322199', '4 000417-025006'])(
    'a barcode that no food has says that its check digit is wrong, and becomes a food: %s',
    async (code) => {
      const { page, button } = open;
      await button('Add to lunch').click();
      await field().fill(code);
      await page
        .getByRole('alert')
        .filter({ hasText: /^No food has the barcode \d+\. The last digit does not fit the others\./ })
        .waitFor();
      await button('Create this food').click();
      await expect.poll(() => page.getByLabel('Barcode').inputValue()).toBe(code.replaceAll(/[ -]/g, ''));
      await button('Close').click();
      await button('Discard').click();
    },
  );

  test('the choice of several ends with the dialog, unless foods were ticked', async () => {
    const { button } = open;
    const isOn = () => button('Pick several').getAttribute('aria-pressed');
    await button('Add to lunch').click();
    await button('Pick several').click();
    await expect.poll(isOn).toBe('true');
    await button('Close').click();
    await button('Add to dinner').click();
    await expect.poll(isOn).toBe('false');
    await button('Pick several').click();
    await field().fill('pear');
    await option(/^Pear/).click();
    await button('Close').click();
    await button('Go on').click();
    await expect.poll(isOn).toBe('true');
    await button(/^Add 1 food/).waitFor();
    await button('Close').click();
    await button('Discard').click();
  });

  test('the header leaves the ring of the field free', async () => {
    const { page, button } = open;
    await button('Add to lunch').click();
    const edge = (of: string) => `document.querySelector('.add-dialog ${of}').getBoundingClientRect()`;
    const gap = () => page.evaluate<number>(`${edge('.food-field')}.top - ${edge('header')}.bottom`);
    await expect.poll(gap).toBeGreaterThanOrEqual(5);
    await button('Close').click();
  });

  test('nothing failed on the way, and no other host was asked', () => {
    // An unknown barcode is an answer, though browsers log it.
    expect(open.faults.filter((fault) => !fault.includes('404'))).toEqual([]);
  });

  test('a session that expires loses neither the amount in the dialog nor the entry that was sent', async () => {
    const { page, button, entries, signIn } = open;
    await button('Add to dinner').click();
    await field().fill('pear');
    await option(/^Pear/).click();
    await page.getByRole('textbox', { name: 'Amount' }).fill('77');
    await endSessionAt(page, (request) => request.method() === 'POST');
    await button('Add').click();
    await signIn();
    await expect.poll(() => entries('Dinner').filter({ hasText: 'Pear' }).textContent()).toMatch(/77/);
    await button('Add to dinner').click();
    await field().fill('rye bread');
    await option(/rye bread/i).waitFor();
    await endSessionAt(page, (request) => request.url().includes('toasted'));
    await field().fill('rye bread, toasted');
    await signIn();
    await expect.poll(() => field().inputValue()).toMatch(/^rye bread/);
    await option(/Rye bread/i).waitFor();
  });
});
