import { join } from 'node:path';
import type { PageView, Visit } from '../visit.ts';

const PHOTOS = join(import.meta.dirname, '../../../examples/photos');

const open = ({ press, texts }: Visit) => press(texts.addTo.dinner);

async function type(visit: Visit, text: string): Promise<void> {
  await open(visit);
  await visit.page.getByRole('combobox', { name: visit.texts.searchLabel }).fill(text);
}

/** The foods that were found: the page has other options too. */
const found = ({ page, texts }: Visit) =>
  page.getByRole('listbox', { name: texts.results }).getByRole('option');

async function choosePhoto(visit: Visit, name: string): Promise<void> {
  await open(visit);
  await visit.page.getByLabel(visit.texts.choosePhoto).setInputFiles(join(PHOTOS, name));
}

/** In the names of the sample products. */
const FACTS = 'millbrook';

/** Chooses what Ben eats, and opens the page anew. */
async function chooseDiet({ page }: Visit, settings: object): Promise<void> {
  await page.evaluate(async (body) => {
    await fetch('/v1/users/me/settings', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body,
    });
  }, JSON.stringify(settings));
  await page.reload();
}

/** The dialog that adds to a meal, with each of its ways. */
export const ADD_VIEWS: readonly PageView[] = [
  { name: 'add', path: '/', act: open },
  { name: 'add-empty', path: '/', who: 'ben', act: open },
  {
    name: 'add-results',
    path: '/',
    act: async (visit) => {
      await type(visit, 'bread');
      await found(visit).nth(3).waitFor();
      await visit.page.keyboard.press('ArrowDown');
    },
  },
  {
    name: 'add-nothing-found',
    path: '/',
    act: async (visit) => {
      await type(visit, 'xyzzyplugh');
      await visit.page.getByText(visit.texts.noFoods('xyzzyplugh')).waitFor();
    },
  },
  {
    name: 'add-sentence',
    path: '/',
    act: async (visit) => {
      await type(visit, '2 eggs, a glass of milk, 200 g rice and a xyzzyplugh');
      await visit.page.getByRole('region', { name: visit.texts.understood }).waitFor();
    },
  },
  {
    name: 'add-several',
    path: '/',
    act: async (visit) => {
      await open(visit);
      await visit.press(visit.texts.several);
      const recent = visit.page.getByRole('region', { name: visit.texts.recents }).getByRole('button');
      for (const at of [0, 2, 3]) await recent.nth(at).click();
    },
  },
  {
    name: 'add-amount',
    path: '/',
    act: async (visit) => {
      await type(visit, 'banana');
      await found(visit).first().click();
      await visit.page.getByRole('textbox', { name: visit.texts.amount }).waitFor();
    },
  },
  {
    name: 'add-amount-of-long-name',
    path: '/',
    act: async (visit) => {
      await type(visit, '4006381333931');
      await found(visit).first().click();
      await visit.page.getByRole('textbox', { name: visit.texts.amount }).waitFor();
    },
  },
  {
    name: 'add-facts',
    path: '/',
    who: 'ben',
    act: async (visit) => {
      await type(visit, FACTS);
      await found(visit).first().click();
      // Facts and reference values are there.
      await visit.page.locator('.origin').waitFor();
      await visit.page.locator('.food-facts .fact-note').nth(1).waitFor();
    },
  },
  {
    name: 'add-for-diet',
    path: '/',
    who: 'ben',
    act: async (visit) => {
      await chooseDiet(visit, { diet: 'vegan', allergens: ['milk', 'sulphur-dioxide-and-sulphites'] });
      await type(visit, FACTS);
      await visit.page.locator('.fit-note').waitFor();
      await visit.page.locator('.fit-note button').click();
      await visit.page.locator('.may-not-fit').first().waitFor();
    },
  },
  {
    name: 'add-warned',
    path: '/',
    who: 'ben',
    act: async (visit) => {
      await chooseDiet(visit, { diet: 'vegan', allergens: ['milk', 'gluten'] });
      await type(visit, '3017620422003');
      await visit.page.locator('.warnings').waitFor();
      await found(visit).first().click();
      await visit.page.locator('.amount-form .warnings').waitFor();
      await visit.page.locator('.origin').waitFor();
    },
  },
  {
    name: 'add-quick',
    path: '/',
    act: async (visit) => {
      await open(visit);
      await visit.press(visit.texts.quickAdd);
      await visit.page.getByRole('form', { name: visit.texts.quickAdd }).waitFor();
    },
  },
  {
    name: 'add-no-camera',
    path: '/',
    act: async (visit) => {
      await open(visit);
      await visit.press(visit.texts.camera);
      await visit.page.getByLabel(visit.texts.takePhotoInstead).waitFor();
    },
  },
  {
    name: 'add-photo-in-progress',
    path: '/',
    isBusy: true,
    act: async (visit) => {
      await visit.page.route(/\/v1\/scans\/[^/]+$/, () => {});
      await choosePhoto(visit, 'plate.jpg');
      await visit.page.getByRole('progressbar').waitFor();
    },
  },
  {
    name: 'add-photo-result',
    path: '/',
    act: async (visit) => {
      await choosePhoto(visit, 'plate.jpg');
      await visit.page.getByRole('form', { name: visit.texts.onPhoto }).waitFor({ timeout: 120_000 });
    },
  },
  {
    name: 'add-photo-of-label',
    path: '/',
    act: async (visit) => {
      await choosePhoto(visit, 'label.jpg');
      await visit.page.getByRole('button', { name: visit.texts.saveAsFood }).waitFor({ timeout: 120_000 });
    },
  },
  {
    name: 'add-label-form',
    path: '/',
    act: async (visit) => {
      await choosePhoto(visit, 'label.jpg');
      await visit.page.getByRole('button', { name: visit.texts.saveAsFood }).click({ timeout: 120_000 });
      await visit.page.getByRole('form', { name: visit.texts.foodForm.newFood }).waitFor();
    },
  },
  {
    name: 'add-offline',
    path: '/',
    act: async (visit) => {
      await open(visit);
      const field = visit.page.getByRole('combobox', { name: visit.texts.searchLabel });
      // The dialog is loaded at its first use.
      await field.waitFor();
      await visit.page.context().setOffline(true);
      await field.fill('2 eggs and rice');
      await visit.page.getByText(visit.texts.offline.searchNeedsService).waitFor();
    },
  },
];
