import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, startBrowser } from '../support/chromium.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { endSessionAt } from './support/open-page.ts';

/** More than any view has to the thing that is meant. */
const MAX_TABS = 60;
const FOCUSED = `(() => {
  const { ariaLabel, labels, textContent } = document.activeElement;
  return ariaLabel ?? labels?.[0]?.textContent ?? textContent;
})()`;

describe.skipIf(noBrowser !== undefined)('with keys alone', () => {
  let service: ServiceProcess;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    service = await startServiceProcess({ LARDER_THREADS: '1' });
    browser = await startBrowser();
    page = await browser.newPage({ locale: 'en-US' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const press = (...keys: string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
  const focused = () => page.evaluate<string>(FOCUSED);
  const entry = () => page.getByRole('region', { name: 'Breakfast', exact: true }).getByRole('listitem');
  /** What screen readers are told by themselves. */
  const told = () => page.getByRole('log').textContent();

  /** As a person does who came to it by Tab. */
  async function use(target: Locator): Promise<void> {
    await target.focus();
    await press('Enter');
  }

  async function tabTo(name: RegExp): Promise<void> {
    for (let tabs = 0; tabs < MAX_TABS; tabs++) {
      if (name.test(await focused())) return;
      await press('Tab');
    }
    throw new Error(`The focus never comes to ${name}.`);
  }

  test('an account is made', async () => {
    const link = readFileSync(join(service.dataDir, 'owner-link.txt'), 'utf8').trim().split('#')[1]!;
    await page.goto(`${service.url}/welcome#${link}`);
    await page.getByRole('heading').waitFor();
    await tabTo(/^Name/);
    await page.keyboard.type('Ann');
    await tabTo(/^Password/);
    await page.keyboard.type('eggs and toast');
    await press('Enter');
    await page.getByRole('region', { name: 'Breakfast', exact: true }).waitFor();
  });

  /** Chooses the first food of this name in the dialog that adds. */
  const findBanana = async () => {
    await expect.poll(focused).toBe('Search foods, barcode or text');
    await page.keyboard.type('banana');
    await page
      .getByRole('option', { name: /^Banana/ })
      .first()
      .waitFor();
    await press('ArrowDown', 'Enter');
    await expect.poll(focused).toMatch(/^Amount/);
  };

  test('a food is added, which is told, and the focus is where it was', async () => {
    await tabTo(/^Add to breakfast$/);
    await press('Enter');
    await findBanana();
    await page.keyboard.type('2');
    await press('Enter');
    await entry().waitFor();
    await expect.poll(told).toMatch(/ added/);
    await expect.poll(focused).toBe('Add to breakfast');
  });

  test('an entry is changed, and the focus comes back to it', async () => {
    await press('Shift+Tab');
    await expect.poll(focused).toMatch(/^Banana/);
    await press('Enter');
    await tabTo(/^Amount/);
    await press('Control+A');
    await page.keyboard.type('3');
    await press('Enter');
    await expect.poll(() => entry().textContent()).toMatch(/^Banana.*3 /);
    await expect.poll(focused).toMatch(/^Banana/);
  });

  test('an entry is deleted, which is told, and comes back', async () => {
    await press('Enter');
    await tabTo(/^Delete$/);
    await press('Enter');
    await entry().waitFor({ state: 'detached' });
    await expect.poll(told).toMatch(/ deleted/);
    await expect.poll(focused).toBe('Add to breakfast');
    await tabTo(/^Undo$/);
    await press('Enter');
    await entry().waitFor();
    expect(await focused()).toBe('Add to breakfast');
  });

  test('entries that are ticked are deleted and come back, and the focus stays in the meal', async () => {
    await use(page.getByRole('button', { name: 'More for Breakfast' }));
    await use(page.getByRole('button', { name: 'Select foods' }));
    await entry().getByRole('checkbox').press('Space');
    await use(page.getByRole('toolbar').getByRole('button', { name: 'Delete' }));
    await entry().waitFor({ state: 'detached' });
    expect(await focused()).toBe('Add to breakfast');
    await use(page.getByRole('button', { name: 'Undo' }));
    await entry().waitFor();
    expect(await focused()).toBe('Add to breakfast');
  });

  test('a wrong password leads back to its field, and what waited for the right one is told', async () => {
    await use(page.getByRole('button', { name: 'Add to breakfast' }));
    await findBanana();
    await endSessionAt(page, (request) => request.method() === 'POST');
    await press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.waitFor();
    await expect.poll(focused).toBe('Password');
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Ann');
    await page.keyboard.type('eggs');
    await press('Enter');
    await dialog.getByRole('alert').waitFor();
    await expect.poll(focused).toBe('Password');
    await page.keyboard.type('eggs and toast');
    await press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(told).toMatch(/Banana.* added/);
    // The dialog that had the focus has closed meanwhile.
    await expect.poll(focused).toBe('Today');
    expect(await entry().count()).toBe(2);
  });

  test('goals are saved, and the focus stays', async () => {
    await page.goto(`${service.url}/app/settings`);
    const goals = page.getByRole('form', { name: 'Goals' });
    await goals.getByRole('textbox', { name: 'Energy' }).fill('2000');
    await use(goals.getByRole('button', { name: 'Save' }));
    await expect.poll(told).toMatch(/Changed|Saved/i);
    expect(await focused()).toBe('Save');
  });

  test('a file is imported, and the focus comes to the report', async () => {
    const card = page.getByRole('region', { name: 'Import', exact: true });
    const buffer = Buffer.from('date,meal,name,calories\n2030-01-01,lunch,Soup,100\n');
    await card.locator('input[type=file]').setInputFiles({ name: 'd.csv', mimeType: 'text/csv', buffer });
    await use(card.getByRole('button', { name: 'Import', exact: true }));
    await card.getByRole('region', { name: 'Report' }).waitFor();
    await expect.poll(focused).toBe('Report');
  });

  test('a key is made and revoked, and the focus is on it, on the question, and on the card', async () => {
    const card = page.getByRole('region', { name: 'Keys for own apps', exact: true });
    await use(card.getByText('New key', { exact: true }));
    await card.getByLabel('Name of the app').fill('Scale');
    await press('Enter');
    await expect.poll(focused).toMatch(/^Key of Scale/);
    const revoke = card.getByRole('button', { name: 'Revoke Scale' });
    await use(revoke);
    expect(await focused()).toBe('Cancel');
    await press('Enter');
    await expect.poll(focused).toBe('Revoke Scale');
    await press('Enter');
    await use(card.getByRole('button', { name: 'Revoke', exact: true }));
    await revoke.waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Keys for own apps');
  });

  test('a recipe is saved, added to the diary and deleted, and the focus is on what is shown', async () => {
    await page.goto(`${service.url}/app/recipes`);
    await use(page.getByRole('link', { name: 'New recipe' }));
    await expect.poll(focused).toBe('New recipe');
    await page.getByRole('textbox', { name: 'Name' }).fill('Porridge');
    await page.getByRole('textbox', { name: 'Ingredients' }).fill('100 g oats');
    await use(page.locator('button[type=submit]:not([aria-disabled]):enabled', { hasText: 'Save' }));
    await expect.poll(focused).toBe('Porridge');
    await use(page.getByRole('form', { name: 'Add to the diary' }).getByRole('button', { name: 'Add' }));
    await expect.poll(told).toBe('Porridge addedUndo');
    expect(await focused()).toBe('Add');
    await use(page.getByRole('button', { name: 'Delete' }));
    await expect.poll(told).toMatch(/^Porridge deleted/);
    await expect.poll(focused).toBe('Recipes');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('an address of no recipe says so', async () => {
    await page.goto(`${service.url}/app/recipes?recipe=nope`);
    await page.getByRole('alert').getByText('There is no such recipe.').waitFor();
  });

  test('a weight that nobody has is refused, and the focus is on it', async () => {
    await page.goto(`${service.url}/app/trends`);
    const form = page.getByRole('form', { name: 'Enter a weight' });
    await form.getByRole('textbox', { name: 'Weight' }).fill('99999');
    await use(form.getByRole('button', { name: 'Save' }));
    await form
      .getByRole('alert')
      .getByText(/between [\d,]+ and [\d,]+ /)
      .waitFor();
    expect(await focused()).toMatch(/^Weight/);
    await page.keyboard.type('150');
    expect(await told()).toBe('');
  });

  test.each([
    { path: '/', opener: /^More for Lunch$/ },
    { path: '/', opener: /^Add to dinner$/ },
    { path: '/', opener: /^Camera for Snacks$/ },
    { path: '/app/foods', opener: /^New food$/ },
    { path: '/console/keys', opener: /^Revoke$/ },
  ])('the dialog of $opener closes by Escape, and the focus is where it was', async ({ path, opener }) => {
    await page.goto(service.url + path);
    await page.getByRole('button', { name: opener }).first().waitFor();
    await tabTo(opener);
    await press('Enter');
    await page.getByRole('dialog').waitFor();
    await expect.poll(() => focused()).not.toMatch(opener);
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(focused).toMatch(opener);
  });
});
