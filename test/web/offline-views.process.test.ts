import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Larder, type User } from '#larder-client';
import { noBrowser, SIZES, startBrowser } from '../support/chromium.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { PageVisit } from './support/page-visit.ts';

const today = () => new Date().toISOString().slice(0, 10);

describe.skipIf(noBrowser !== undefined)('recipes, foods, trends and goals without the service', () => {
  let service: ServiceProcess;
  let browser: Browser;
  let visit: PageVisit;
  /** Another app of the same person. */
  let larder: Larder;
  let user: User;

  beforeAll(async () => {
    service = await startServiceProcess({ LARDER_THREADS: '1', LARDER_PAGE: 'on' });
    browser = await startBrowser();
    visit = await PageVisit.open(browser, service, SIZES[0][1]);
    await visit.createAccount(service);
    const session = await visit.context.request.get(`${service.url}/v1/session`);
    larder = new Larder({ url: service.url, key: service.key });
    user = larder.user((await session.json()).person.id);
    await user.goals.set({ from: '2020-01-01', calories: 2000 });
    await user.measurements.add({
      name: 'weight',
      value: 72.4,
      unit: 'kg',
      measuredAt: `${today()}T00:00:00Z`,
    });
    await user.recipes.add({
      name: 'Pea soup',
      servings: 4,
      yieldGrams: 1000,
      ingredients: [{ foodName: 'Peas', calories: 800, protein: 40, carbs: 120, fat: 8 }],
    });
    await larder.foods.add({
      name: 'Plum cake',
      servingSize: { value: 1, unit: 'slice', grams: 80 },
      macros: { energy: 240, protein: 4 },
    });
    const at = { date: today(), mealType: 'lunch' } as const;
    await user.diary.add({ ...at, foodName: 'Rice', calories: 400, protein: 8, nutrients: { iron: 2 } });
    await user.diary.add({ ...at, foodName: 'Stew', calories: 600 });
    await visit.entries('Lunch').getByText('Stew').waitFor();
    await visit.page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await visit.setOnline(false);
    await visit.killAndOpen();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const open = (view: string) => visit.page.getByRole('link', { name: view, exact: true }).click();
  const row = (list: string, name: string) =>
    visit.page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: name });
  const field = (name: string) => visit.page.getByRole('textbox', { name, exact: true });
  const text = (name: string) => visit.page.getByRole('textbox', { name, exact: true });
  const trend = (name: string) => visit.page.getByRole('region', { name, exact: true });
  const recipesNamed = async (name: string) =>
    (await user.recipes.list().all()).filter((recipe) => recipe.name === name);
  const foodsNamed = async (name: string) =>
    (await larder.foods.list({ userId: user.id }).all()).filter((food) => food.name === name);
  const entriesOf = async (name: string) =>
    (await user.diary.list({ date: today() }).all()).filter(({ foodName }) => foodName === name);
  const setAside = () => visit.page.getByRole('dialog', { name: 'Changes that were not taken over' });

  async function addFound(query: string): Promise<void> {
    await visit.button('Add to snacks').click();
    await visit.page.getByRole('combobox', { name: 'Search foods, barcode or text' }).fill(query);
    await visit.page.getByRole('option', { name: new RegExp(query, 'i') }).click();
    await visit.button('Add').click();
    await visit.page.getByRole('dialog').waitFor({ state: 'hidden' });
  }

  async function writeRecipe(name: string, lines: string): Promise<void> {
    await open('Recipes');
    await visit.page.getByRole('link', { name: 'New recipe' }).click();
    await text('Name').fill(name);
    await text('Ingredients').fill(lines);
    await visit.page.getByText('The lines are read when the service is back.').waitFor();
    await visit.button('Save').click();
    await visit.page.getByRole('heading', { name }).waitFor();
  }

  test('recipes, foods, goals and trends are read from the device', async () => {
    await open('Recipes');
    await row('Recipes', 'Pea soup').click();
    await visit.page.reload();
    await visit.page.getByRole('table', { name: 'In a serving' }).getByText('200 kcal').waitFor();
    await open('Foods');
    await visit.page.reload();
    await row('Foods', 'Plum cake').getByText('240 kcal').waitFor();
    await open('Settings');
    await visit.page.reload();
    await expect.poll(() => field('Energy').inputValue()).toBe('2000');
    await open('Trends');
    await visit.page.reload();
    await trend('Energy').getByText('1 day with entries').waitFor();
    await expect.poll(() => trend('Energy').textContent()).toMatch(/^1,000 kcal on average.*goal 2,000 kcal/);
  });

  test('trends say "at least" of what a food does not state, and which days need the service', async () => {
    const measure = (value: string) => visit.page.getByLabel('What to show').selectOption(value);
    await trend('Protein').getByText('At least this: 1 of 2 foods state it.').waitFor();
    await measure('iron');
    await expect.poll(() => trend('Iron').textContent()).toMatch(/^at least 2 mg/);
    await trend('Weight').getByRole('img', { name: 'Weight: 72.4 kg' }).waitFor();
    await visit.button('Year').click();
    await visit.page.getByText('These days need the service').first().waitFor();
  });

  test('the dialog finds own foods and recipes by name, and logs them with their energy', async () => {
    await open('Today');
    await addFound('plum');
    await addFound('pea soup');
    await visit.entries('Snacks').nth(1).waitFor();
    await expect
      .poll(() => visit.entries('Snacks').allTextContents())
      .toEqual([
        expect.stringMatching(/^Plum cake1 slicenot sent yet240 kcal/),
        expect.stringMatching(/^Pea soup1 servingnot sent yet200 kcal/),
      ]);
  });

  test('a food and a recipe that are written offline wait, and can be logged', async () => {
    await open('Foods');
    await visit.button('New food').click();
    await text('Name').fill('Seed bread');
    await field('Energy').fill('250');
    await visit.page.getByRole('checkbox').uncheck();
    await visit.button('Save').click();
    await row('Foods', 'Seed bread').getByText('not sent yet').waitFor();
    await writeRecipe('Red pot', '250 g red lentils\n2 tbsp olive oil');
    await expect.poll(() => visit.page.getByText('not read yet').count()).toBe(2);
    await open('Recipes');
    await row('Recipes', 'Red pot').getByText('not sent yet').waitFor();
    await open('Today');
    await addFound('seed bread');
    await addFound('red pot');
    await visit.entries('Snacks').filter({ hasText: 'Seed bread' }).getByText('250 kcal').waitFor();
    await visit.entries('Snacks').filter({ hasText: 'Red pot' }).getByText('? kcal').waitFor();
  });

  test('after the page was killed all of it is on the service once', async () => {
    await visit.killAndOpen();
    await visit.setOnline(true);
    await expect.poll(() => entriesOf('Red pot')).toHaveLength(1);
    const [pot, bread] = [await recipesNamed('Red pot'), await foodsNamed('Seed bread')];
    expect(pot).toMatchObject([{ ingredients: [{ quantity: 250 }, { text: '2 tbsp olive oil' }] }]);
    expect(bread).toMatchObject([{ userId: user.id, macros: { energy: 250 } }]);
    await expect.poll(() => entriesOf('Red pot')).toMatchObject([{ calories: pot[0]!.perServing.calories }]);
    await expect.poll(() => entriesOf('Seed bread')).toMatchObject([{ foodId: bread[0]!.id, calories: 250 }]);
    for (const name of ['Plum cake', 'Pea soup']) await expect.poll(() => entriesOf(name)).toHaveLength(1);
    await open('Foods');
    await row('Foods', 'Seed bread').waitFor();
    await row('Foods', 'Seed bread').getByText('not sent yet').waitFor({ state: 'detached' });
    await expect.poll(() => row('Foods', 'Seed bread').count()).toBe(1);
  });

  test('a recipe that the service does not understand waits for its writer, and holds up nothing', async () => {
    await visit.setOnline(false);
    await writeRecipe('Odd pot', '100 g rice\n3 xyzzy');
    await open('Foods');
    await row('Foods', 'Plum cake').click();
    await field('Energy').fill('260');
    await visit.button('Save').click();
    await row('Foods', 'Plum cake').getByText('260 kcal').waitFor();
    await visit.setOnline(true);
    await expect.poll(() => foodsNamed('Plum cake')).toMatchObject([{ macros: { energy: 260 } }]);
    await visit.button('Look at it').click();
    await setAside().getByText('Odd pot').waitFor();
    await setAside().getByRole('link', { name: 'Edit' }).click();
    await text('Ingredients').fill('100 g rice');
    await visit.button('Save').click();
    await expect.poll(() => recipesNamed('Odd pot')).toMatchObject([{ ingredients: [{ quantity: 100 }] }]);
    await visit.button('Look at it').waitFor({ state: 'detached' });
  });

  test('a recipe that was changed on two devices is shown side by side, and the choice is written', async () => {
    const [soup] = await recipesNamed('Pea soup');
    await visit.setOnline(false);
    await open('Recipes');
    await row('Recipes', 'Pea soup').click();
    await visit.page.getByRole('link', { name: 'Edit' }).click();
    await field('Servings').fill('5');
    await visit.button('Save').click();
    await visit.page.getByText('not sent yet').waitFor();
    await user.recipes.change(soup!.id, { servings: 8 });
    await visit.setOnline(true);
    await visit.button('Look at it').click();
    await setAside().getByRole('region', { name: 'Yours' }).getByText('160 kcal').waitFor();
    await setAside().getByRole('region', { name: 'Other device' }).getByText('100 kcal').waitFor();
    await visit.button('Keep yours').click();
    await expect.poll(() => recipesNamed('Pea soup')).toMatchObject([{ servings: 5 }]);
    await visit.button('Close').click();
  });

  test('a deletion, new goals and a weight are sent, too', async () => {
    await visit.setOnline(false);
    await open('Recipes');
    await row('Recipes', 'Odd pot').click();
    await visit.button('Delete').click();
    await row('Recipes', 'Pea soup').waitFor();
    await expect.poll(() => row('Recipes', 'Odd pot').count()).toBe(0);
    await open('Settings');
    await expect.poll(() => field('Energy').inputValue()).toBe('2000');
    await field('Energy').fill('1800');
    await visit.page.getByRole('form', { name: 'Goals' }).getByRole('button', { name: 'Save' }).click();
    await visit.page.getByText('Earlier goals').waitFor();
    await open('Trends');
    // Days of the week before today have the earlier goal.
    await trend('Energy')
      .getByText(/goal 1,800(–2,000)? kcal/)
      .waitFor();
    await field('Weight').fill('71');
    await visit.button('Save').click();
    await trend('Weight').getByRole('img', { name: 'Weight: 71 kg' }).waitFor();
    await visit.killAndOpen();
    await visit.setOnline(true);
    await expect.poll(() => user.measurements.list({ name: 'weight' }).all()).toHaveLength(2);
    await expect.poll(() => recipesNamed('Odd pot')).toEqual([]);
    expect(await user.goals.get({ date: today() })).toMatchObject({ from: today(), calories: 1800 });
  });

  test('nothing failed while the service could be reached', () => {
    expect(visit.faults.filter((fault) => !fault.startsWith('422'))).toEqual([]);
  });
});
