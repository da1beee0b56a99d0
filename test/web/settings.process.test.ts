import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { askAs, type OpenPage, openPage } from './support/open-page.ts';

const CRONOMETER = `Day,Time,Group,Food Name,Amount,Energy (kcal),Protein (g),Carbs (g),Fat (g),Category
2025-03-01,08:05 AM,Breakfast,"Oats, Rolled, Dry",60.00 g,227.40,7.90,40.62,3.91,Cereals
2025-03-01,08:05 AM,Brunch,Banana,1.00 medium,105.02,1.29,many,0.39,Fruits
`;
const FOODS = `Name,Serving,Energy (kcal) per serving
Grandma's cake,1 slice (80 g),312
Stone soup,1 bowl,90
`;

describe.skipIf(noBrowser !== undefined).each(SIZES)('settings, on %s', (_, viewport) => {
  let open: OpenPage;
  beforeAll(async () => {
    open = await openPage({ context: { viewport } });
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  const card = (name: string) => open.page.getByRole('region', { name, exact: true });
  const field = (name: string) => open.page.getByRole('textbox', { name, exact: true });
  const file = (name: string, text: string) =>
    card('Import')
      .getByLabel('File', { exact: true })
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

  test('goals apply from a day, and earlier ones stay', async () => {
    await open.page.getByRole('link', { name: 'Settings' }).click();
    await field('Energy').fill('2000');
    await field('Protein').fill('90');
    await open.page.getByLabel('From').fill('2020-01-01');
    await open.button('Save').click();
    await open.page.getByText('Saved').waitFor();
    await field('Energy').fill('2200');
    await open.page.getByLabel('From').fill('2020-06-01');
    await open.button('Save').click();
    await open.page.getByText('Earlier goals').click();
    const rows = open.page.getByRole('form', { name: 'Goals' }).getByRole('row');
    await expect
      .poll(() => rows.allTextContents())
      .toEqual([
        'FromEnergy (kcal)Protein (g)Carbs (g)Fat (g)',
        'Jun 1, 20202,20090––',
        'Jan 1, 20202,00090––',
      ]);
  });

  test('goals are removed by one button, and come back', async () => {
    const { page, button } = open;
    const goals = page.getByRole('form', { name: 'Goals' });
    const energy = () => goals.getByLabel('Energy').first().inputValue();
    const before = await energy();
    expect(before).not.toBe('');
    await button('Remove these goals').click();
    await expect.poll(energy).toBe('');
    await page.getByText('The goals are removed').waitFor();
    await button('Undo').click();
    await expect.poll(energy).toBe(before);
  });

  test('energy is shown in the chosen unit everywhere', async () => {
    await open.page.getByLabel('Energy in').selectOption('kJ');
    await expect.poll(() => field('Energy').inputValue()).toBe('9205');
    await open.page.getByLabel('Energy in').selectOption('kcal');
  });

  test('US measures are offered for foods and weights', async () => {
    await open.page.getByLabel('Measures').selectOption('us');
    await open.page.getByRole('link', { name: 'Today' }).click();
    await open.button('Add to snacks').click();
    await open.page.getByRole('combobox', { name: 'Search foods, barcode or text' }).fill('banana');
    await open.page
      .getByRole('option', { name: /^Banana/ })
      .first()
      .click();
    await open.page.getByRole('combobox', { name: 'Unit' }).selectOption('oz');
    await field('Amount').fill('3.5');
    await open.button('Add').click();
    // Until the service has answered, the page does not know what an ounce of it has.
    await expect.poll(() => open.entries('Snacks').textContent()).toMatch(/^Banana3.5 oz.*96 kcal/);
    await open.page.getByRole('link', { name: 'Trends' }).click();
    const weight = open.page.getByRole('form', { name: 'Enter a weight', exact: true });
    await weight.getByText('lb', { exact: true }).waitFor();
    await open.page.getByRole('link', { name: 'Settings' }).click();
    await open.page.getByLabel('Measures').selectOption('metric');
  });

  test('the page speaks the chosen language at once', async () => {
    await open.page.getByLabel('Language').selectOption('de');
    await open.page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
    await expect.poll(() => open.page.evaluate('document.documentElement.lang')).toBe('de');
    await open.page.getByLabel('Sprache').selectOption('en');
  });

  test('a file of another app is shown before it is written', async () => {
    await file('servings.csv', CRONOMETER);
    const preview = card('Import').getByRole('region', { name: 'Preview' });
    await preview.getByText('Read as Cronometer').waitFor();
    await preview.getByText('2 entries would be added').waitFor();
    await preview.getByText('Line 3, Carbs (g)').waitFor();
    await expect
      .poll(() => preview.getByRole('row').nth(1).textContent())
      .toBe('2025-03-01BreakfastOats, Rolled, Dry227 kcal');
    await preview.getByRole('button', { name: 'Import' }).click();
    await card('Import').getByRole('region', { name: 'Report' }).getByText('2 entries added').waitFor();
    await file('servings.csv', CRONOMETER);
    await preview.getByText('All of it is there already.').waitFor();
  });

  test('what is typed before the service says who is signed in stays', async () => {
    const { page } = open;
    const asked = Promise.withResolvers<void>();
    await page.route(/\/v1\/session$/, async (route) => {
      await asked.promise;
      await route.continue();
    });
    await page.reload();
    const protein = page.getByRole('textbox', { name: 'Protein' });
    await protein.fill('123');
    await card('Import').getByLabel('The file contains').selectOption('foods');
    const answered = page.waitForResponse(/\/v1\/session$/);
    asked.resolve();
    await (await answered).finished();
    await page.unrouteAll();
    // Whatever follows the answer has been drawn after a request of the page's own.
    await askAs(page, 'GET', '/v1/session');
    await expect.poll(() => protein.inputValue()).toBe('123');
    await expect.poll(() => card('Import').getByLabel('The file contains').inputValue()).toBe('foods');
  });

  test('a table of foods names the rows that it cannot read', async () => {
    await open.page.reload();
    await card('Import').getByLabel('The file contains').selectOption('foods');
    await file('family.csv', FOODS);
    await card('Import').getByText('1 food would be added').waitFor();
    await card('Import')
      .getByText(/Line 3.*1 bowl/)
      .waitFor();
    await card('Import').getByRole('button', { name: 'Import' }).click();
    await card('Import').getByText('1 food added').waitFor();
  });

  test('everything can be taken along, and the export is known as imported', async () => {
    const download = open.page.waitForEvent('download');
    await open.page.getByRole('link', { name: 'Everything (JSON lines)' }).click();
    const path = await (await download).path();
    await card('Import').getByLabel('The file contains').selectOption('diary');
    await card('Import').getByLabel('File', { exact: true }).setInputFiles(path);
    await card('Import').getByText('Read as Larder').waitFor();
    await card('Import').getByText('All of it is there already.').waitFor();
  });

  test('an invitation makes a member, whose diary is seen as they like', async () => {
    await open.button('Invite somebody').click();
    const link = await open.page.getByLabel('Link for the invited').inputValue();
    const context = await open.browser.newContext({ viewport, locale: 'en-US' });
    const other = await context.newPage();
    await other.goto(link);
    await other.getByRole('textbox', { name: 'Name' }).fill('Ben');
    await other.getByLabel('Password').fill('rice and beans');
    await other.getByRole('button', { name: 'Create account' }).click();
    await other.getByRole('region', { name: 'Breakfast', exact: true }).waitFor();
    await other.getByRole('link', { name: 'Settings' }).click();
    await other.getByLabel(/^Everybody/).selectOption('none');
    await other.getByText('Saved').waitFor();
    await context.close();
    await open.page.reload();
    await card('Household').getByText('Ben').waitFor();
    await card('Sharing').getByLabel('Ben').selectOption('write');
    await open.page.getByText('Saved').waitFor();
  });

  test('a removed member is asked for twice', async () => {
    await card('Household').getByRole('button', { name: 'Remove' }).click();
    await open.page.getByText('Delete the account of Ben').waitFor();
    await card('Household').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => card('Household').getByText('Ben').count()).toBe(0);
  });

  test('a new password ends the sessions of other devices', async () => {
    const context = await open.browser.newContext({ viewport, locale: 'en-US' });
    const other = await context.newPage();
    await other.goto(open.service.url);
    await other.getByRole('textbox', { name: 'Name' }).fill('ann');
    await other.getByLabel('Password').fill('eggs and toast');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('region', { name: 'Breakfast', exact: true }).waitFor();
    await open.page.reload();
    await expect.poll(() => card('Devices').getByRole('listitem').count()).toBe(2);
    await open.page.getByText('Change password').click();
    await open.page.getByLabel('Current password').fill('eggs and toast');
    await open.page.getByLabel('New password').fill('toast and eggs');
    await open.button('Set password').click();
    await open.page.getByText('Password changed.').waitFor();
    await other.reload();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    await context.close();
  });

  test('an account is deleted with all its data, once its name is typed', async () => {
    const { page, service, browser } = open;
    const { url } = (await askAs(page, 'POST', '/v1/invitations', {})) as { url: string };
    const context = await browser.newContext({ viewport, locale: 'en-US' });
    const dora = await context.newPage();
    await dora.goto(url);
    await dora.getByRole('textbox', { name: 'Name' }).fill('Dora');
    await dora.getByLabel('Password').fill('rice and beans');
    await dora.getByRole('button', { name: 'Create account' }).click();
    await dora.getByRole('link', { name: 'Settings' }).click();
    await dora.getByText('Delete my account').click();
    const remove = dora.getByRole('button', { name: 'Delete everything' });
    expect(await remove.isDisabled()).toBe(true);
    await dora.getByLabel('Type your name to confirm: Dora').fill('Dora');
    await remove.click();
    await dora.getByRole('button', { name: 'Sign in' }).waitFor();
    const answer = await fetch(`${service.url}/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Dora', password: 'rice and beans' }),
    });
    expect(answer.status).toBe(403);
    await context.close();
  });

  test('nothing failed on the way, and no other host was asked', () => {
    expect(open.faults).toEqual([]);
  });
});
