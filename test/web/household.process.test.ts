import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { askAs, endSessionAt, type OpenPage, openPage } from './support/open-page.ts';

const TODAY = `new Date().toLocaleDateString('sv-SE')`;
const USER_ID = `JSON.parse(localStorage.getItem('larder-session')).id`;

describe.skipIf(noBrowser !== undefined).each(SIZES)('a household, on %s', (_, viewport) => {
  let open: OpenPage;
  let other: Page;
  beforeAll(async () => {
    open = await openPage({ context: { viewport } });
    const { url } = (await askAs(open.page, 'POST', '/v1/invitations', {})) as { url: string };
    const context = await open.browser.newContext({ viewport, locale: 'en-US' });
    other = await context.newPage();
    await other.goto(url);
    await other.getByRole('textbox', { name: 'Name' }).fill('Ben');
    await other.getByLabel('Password').fill('rice and beans');
    await other.getByRole('button', { name: 'Create account' }).click();
    await other.getByRole('region', { name: 'Breakfast', exact: true }).waitFor();
    const date = await other.evaluate<string>(TODAY);
    const userId = await other.evaluate<string>(USER_ID);
    await askAs(other, 'POST', `/v1/users/${userId}/recipes`, {
      name: 'Sweet rice',
      servings: 4,
      ingredients: ['200 g rice'],
    });
    await askAs(other, 'POST', `/v1/users/${userId}/diary/batch`, [
      { date, mealType: 'lunch', foodName: 'Pasta', calories: 600, quantity: 300, unit: 'g' },
      { date, mealType: 'lunch', foodName: 'Salad', calories: 100 },
    ]);
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  test('a member sees the day of another, and copies a meal by one tap', async () => {
    await open.page.reload();
    await open.page.getByLabel('Whose diary').selectOption({ label: 'Ben' });
    await open.page.getByRole('heading', { name: 'Diary of Ben' }).waitFor();
    await expect.poll(() => open.entries('Lunch').count()).toBe(2);
    await open.button('Copy to my lunch').click();
    await open.page.getByText('2 foods added').waitFor();
  });

  test('a food is copied as an own portion, and taken back', async () => {
    await open.page.getByLabel('My portion').selectOption('0.5');
    await open.button('Copy Pasta').click();
    await open.page.getByText('Pasta added').waitFor();
    await open.page.getByLabel('Whose diary').selectOption({ label: 'Ann' });
    await expect.poll(() => open.entries('Lunch').count()).toBe(3);
    await expect
      .poll(() => open.entries('Lunch').allTextContents())
      .toEqual(expect.arrayContaining([expect.stringMatching(/^Pasta150 g.*300 kcal/)]));
    await open.button('Undo').click();
    await expect.poll(() => open.entries('Lunch').count()).toBe(2);
  });

  test('a recipe of another is copied', async () => {
    await open.page.getByLabel('Whose diary').selectOption({ label: 'Ben' });
    await open.page.getByRole('link', { name: 'Recipes' }).click();
    await open.page.getByRole('link', { name: /^Sweet rice/ }).click();
    await open.button('Copy to my recipes').click();
    await open.page.getByText('Sweet rice added').waitFor();
    await open.button('Recipes').click();
    await open.page.getByLabel('Whose diary').selectOption({ label: 'Ann' });
    await open.page.getByRole('link', { name: /^Sweet rice/ }).click();
    await open.page.getByRole('link', { name: 'Edit' }).waitFor();
  });

  const foodsNamed = async (name: string) => {
    const all = (await askAs(open.page, 'GET', '/v1/foods')) as { name: string }[];
    return all.filter((food) => food.name === name).length;
  };

  test('an expired session asks to sign in, and nothing that was typed is lost', async () => {
    await open.page.getByRole('link', { name: 'Foods' }).click();
    await open.button('New food').click();
    await open.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Stew');
    await open.page.getByRole('textbox', { name: 'Energy' }).fill('540');
    await endSessionAt(open.page, (request) => request.method() === 'POST');
    await open.button('Save').click();
    await open.page.getByRole('dialog', { name: 'Sign in' }).waitFor();
    const before = open.faults.length;
    await open.signIn();
    await open.page.getByRole('dialog', { name: 'Sign in' }).waitFor({ state: 'detached' });
    // The food waited, and is sent without being saved again.
    await open.page.getByRole('button', { name: /^Stew/ }).waitFor();
    await expect.poll(() => foodsNamed('Stew')).toBe(1);
    expect(open.faults.slice(before)).toEqual([]);
    // Whoever has no session is refused; the browser writes each refusal in red.
    expect(open.faults.filter((fault) => !fault.includes('401'))).toEqual([]);
  });
});
