import type { PageView, Visit } from '../visit.ts';

const PASSWORD = 'not the right one';

const unfold = ({ page }: Visit) =>
  page
    .locator('main details:not([open]) > summary')
    .all()
    .then(async (all) => {
      for (const each of all.toReversed()) await each.click();
    });

async function openRecipe({ page }: Visit): Promise<void> {
  await page.getByRole('link', { name: /^Lentil soup/ }).click();
  await page.getByRole('heading', { name: 'Lentil soup', level: 1 }).waitFor();
}

async function choose({ page, texts }: Visit, measure: string): Promise<void> {
  await page.getByRole('combobox', { name: texts.chooseMeasure }).selectOption(measure);
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** Joining and signing in, and the views beside the day. */
export const OTHER_VIEWS: readonly PageView[] = [
  { name: 'welcome', path: '/welcome#link=not-read-here', who: 'nobody' },
  { name: 'welcome-without-link', path: '/welcome', who: 'nobody' },
  { name: 'sign-in', path: '/', who: 'nobody' },
  {
    name: 'sign-in-refused',
    path: '/',
    who: 'nobody',
    act: async ({ page, press, texts }) => {
      await page.getByRole('textbox', { name: texts.name }).fill('Ann');
      await page.getByLabel(texts.password).fill(PASSWORD);
      await press(texts.signIn);
      await page.getByText(texts.problems.wrongName).waitFor();
    },
  },
  {
    name: 'sign-in-again',
    path: '/',
    act: async ({ page, texts }) => {
      await page.context().clearCookies();
      // Another day is read, unless the page has found out before.
      await page.keyboard.press('ArrowLeft');
      await page.getByRole('dialog', { name: texts.signIn }).waitFor();
    },
  },
  { name: 'trends', path: '/app/trends' },
  { name: 'trends-empty', path: '/app/trends', who: 'ben' },
  { name: 'trends-month', path: '/app/trends', act: ({ press, texts }) => press(texts.ranges.month) },
  { name: 'trends-year', path: '/app/trends', act: ({ press, texts }) => press(texts.ranges.year) },
  {
    name: 'trends-nutrient',
    path: '/app/trends',
    act: async (visit) => {
      await choose(visit, 'vitaminD');
      await unfold(visit);
    },
  },
  { name: 'print', path: '/app/print', act: ({ page }) => page.locator('.print-day').first().waitFor() },
  { name: 'recipes', path: '/app/recipes' },
  { name: 'recipes-empty', path: '/app/recipes', who: 'ben' },
  {
    name: 'recipe',
    path: '/app/recipes',
    act: async (visit) => {
      await openRecipe(visit);
      await unfold(visit);
    },
  },
  {
    name: 'recipe-editor',
    path: '/app/recipes?recipe=new',
    act: async ({ page, texts }) => {
      const lines = ['250 g red lentils', '1 onion', 'a little cream', '2 tbsp xyzzyplugh'];
      await page.getByLabel(texts.name, { exact: true }).fill('Soup of Sundays');
      await page.getByLabel(texts.recipesPage.ingredients).fill(lines.join('\n'));
      await page.getByText(texts.recipesPage.willBeLeftOut(1)).waitFor();
    },
  },
  { name: 'recipe-editor-empty', path: '/app/recipes?recipe=new' },
  {
    name: 'recipe-editor-changed',
    path: '/app/recipes',
    act: async (visit) => {
      await openRecipe(visit);
      await visit.page.getByRole('link', { name: visit.texts.edit }).click();
      await visit.page.getByRole('form').waitFor();
    },
  },
  { name: 'foods', path: '/app/foods' },
  { name: 'foods-empty', path: '/app/foods', who: 'ben' },
  {
    name: 'foods-none-found',
    path: '/app/foods',
    act: ({ page }) => page.getByRole('searchbox').fill('xyzzyplugh'),
  },
  { name: 'food-form', path: '/app/foods', act: ({ press, texts }) => press(texts.foodForm.newFood) },
  {
    name: 'food-form-changed',
    path: '/app/foods',
    act: ({ page }) => page.locator('.list-row').first().click(),
  },
  {
    name: 'food-form-warnings',
    path: '/app/foods',
    act: async ({ page, press, texts: { foodForm, ...texts }, service }) => {
      await press(foodForm.newFood);
      const form = page.getByRole('dialog');
      await form.getByLabel(foodForm.name, { exact: true }).fill('Bread');
      await form.getByLabel(foodForm.barcode).fill('4006381333932');
      await form.getByLabel(texts.energy).fill('265');
      await form.getByRole('button', { name: texts.save }).click();
      await page.getByText(foodForm.savedWithWarnings).waitFor();
      const [food] = await service
        .ask<{ id: string }[]>('GET', '/v1/foods?limit=100')
        .then((all) => all.slice(-1));
      await service.ask('DELETE', `/v1/foods/${food!.id}`);
    },
  },
  { name: 'settings', path: '/app/settings', act: unfold },
  { name: 'settings-of-member', path: '/app/settings', who: 'ben' },
  {
    name: 'settings-invitation',
    path: '/app/settings',
    act: async ({ page, press, texts, service }) => {
      await press(texts.household.remove);
      await press(texts.household.invite);
      await page.getByLabel(texts.household.link).waitFor();
      const invitations = await service.ask<{ id: string }[]>('GET', '/v1/invitations');
      for (const { id } of invitations) await service.ask('DELETE', `/v1/invitations/${id}`);
    },
  },
  {
    name: 'settings-import',
    path: '/app/settings',
    act: async ({ page, texts }) => {
      const rows = [
        'date,meal,food,calories',
        '2024-03-01,Lunch,Soup,200',
        '2024-03-01,Dinner,Bread with butter,310',
        'x,y,z,q',
      ];
      await page
        .getByLabel(texts.moving.file, { exact: true })
        .setInputFiles({ name: 'diary.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) });
      await page.getByRole('region', { name: texts.moving.preview }).waitFor();
    },
  },
  {
    name: 'other-day',
    path: '/',
    who: 'ben',
    act: async ({ page, press, texts, service }) => {
      await page.getByLabel(texts.whose).selectOption(service.ann);
      await page.getByRole('heading', { name: texts.otherDay.title('Ann') }).waitFor();
      await press(texts.previousDay);
      await page.locator('.with-copy').first().waitFor();
    },
  },
  {
    name: 'other-recipe',
    path: '/app/recipes',
    who: 'ben',
    act: async (visit) => {
      await visit.page.getByLabel(visit.texts.whose).selectOption(visit.service.ann);
      await openRecipe(visit);
    },
  },
];
