import type { PageView, Visit } from '../visit.ts';

/** The first entry of a meal of the day that is shown. */
const firstEntry = ({ page }: Visit) => page.locator('.entries button').first();

async function yesterday({ page, press, texts }: Visit): Promise<void> {
  await press(texts.previousDay);
  await page.getByText(texts.yesterday, { exact: true }).waitFor();
  await page.locator('.entries').first().waitFor();
}

/** The day, and the dialogs about its entries. */
export const TODAY_VIEWS: readonly PageView[] = [
  { name: 'today', path: '/' },
  { name: 'today-empty', path: '/', who: 'ben' },
  { name: 'today-yesterday', path: '/', act: yesterday },
  {
    name: 'nutrients-day',
    path: '/',
    act: async (visit) => {
      await yesterday(visit);
      await visit.press(visit.texts.allNutrients);
      await visit.page.locator('details.nutrient-row').first().click();
    },
  },
  {
    name: 'nutrients-meal',
    path: '/',
    act: async (visit) => {
      await yesterday(visit);
      await visit.page.locator('.meal-energy').first().click();
      await visit.page.locator('.nutrients').waitFor();
    },
  },
  {
    name: 'nutrients-entry',
    path: '/',
    act: async (visit) => {
      await yesterday(visit);
      await firstEntry(visit).click();
      await visit.page
        .locator('form.entry-form')
        .getByRole('button', { name: visit.texts.allNutrients })
        .click();
      await visit.page.locator('.nutrients').waitFor();
    },
  },
  {
    name: 'weight-sheet',
    path: '/?do=weigh',
    act: ({ page, texts }) =>
      page.getByRole('dialog').getByRole('textbox', { name: texts.trendsPage.weight, exact: true }).waitFor(),
  },
  {
    name: 'today-entry-form',
    path: '/',
    act: async (visit) => {
      await yesterday(visit);
      await visit.page.locator('.entries button').last().click();
      await visit.page.getByRole('textbox', { name: visit.texts.amount }).waitFor();
    },
  },
  {
    name: 'today-values-form',
    path: '/',
    act: async ({ page, press, texts, service }) => {
      const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
      const entry = { date, mealType: 'snacks', foodName: 'Birthday cake', calories: 320, carbs: 45 };
      const diary = `/v1/users/${service.ann}/diary`;
      await service.ask('POST', diary, entry);
      await press(texts.nextDay);
      await press(texts.nextDay);
      await page.locator('.entries button').first().click();
      await page.getByRole('textbox', { name: texts.energy }).waitFor();
    },
  },
  {
    name: 'today-meal-dialog',
    path: '/',
    act: ({ press, texts }) => press(texts.mealMenu(texts.meals.lunch)),
  },
  {
    name: 'today-place-dialog',
    path: '/',
    act: async ({ press, texts }) => {
      await press(texts.mealMenu(texts.meals.lunch));
      await press(texts.moveOrCopyMeal);
    },
  },
  {
    name: 'today-selecting',
    path: '/',
    act: async ({ page, press, texts }) => {
      await press(texts.mealMenu(texts.meals.lunch));
      await press(texts.selectFoods);
      await page.getByRole('checkbox').first().check();
      // Elsewhere the bar lies over what a person can scroll from beneath it.
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    },
  },
  {
    name: 'today-undo',
    path: '/',
    act: async (visit) => {
      await firstEntry(visit).click();
      await visit.page.getByRole('button', { name: visit.texts.delete, exact: true }).waitFor();
      // The service keeps the entry.
      await visit.page.context().setOffline(true);
      await visit.press(visit.texts.delete);
      await visit.page.getByRole('button', { name: visit.texts.undo }).waitFor();
    },
  },
  {
    name: 'today-offline',
    path: '/',
    act: async ({ page, press, texts }) => {
      await page.context().setOffline(true);
      await press(texts.copyYesterday);
      await page.getByRole('status').getByText(texts.offline.sign, { exact: true }).waitFor();
    },
  },
  { name: 'today-conflict', path: '/', act: conflict },
];

/** An entry of tomorrow that was changed here, without the service, and meanwhile elsewhere. */
async function conflict({ page, press, texts, service }: Visit): Promise<void> {
  const diary = `/v1/users/${service.ann}/diary`;
  const date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const entry = {
    date,
    mealType: 'lunch',
    foodName: 'Soup of the day',
    calories: 200,
    quantity: 1,
    unit: 'bowl',
  };
  const { id } = await service.ask<{ id: string }>('POST', diary, entry);
  await press(texts.nextDay);
  await page.locator('.entries button').click();
  await page.context().setOffline(true);
  await page.getByRole('textbox', { name: texts.amount }).fill('3');
  await press(texts.save);
  await page.locator('.entries').getByText(/^3 /).waitFor();
  await service.ask('PATCH', `${diary}/${id}`, { quantity: 2, note: 'Half of it was for Ben' });
  await page.context().setOffline(false);
  await press(texts.offline.decide);
  await page.getByRole('region', { name: texts.offline.theirs }).waitFor();
  await service.ask('DELETE', `${diary}/${id}`);
}
