import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPageService, type PageService } from '../../tools/page/page-service.ts';
import { noBrowser, SIZES, startBrowser } from '../support/chromium.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Lines of Open Food Facts. */
const PRODUCTS = [1, 2, 3].map((at) =>
  JSON.stringify({
    code: `400638133393${at}`,
    product_name: `Quince jelly ${at}`,
    nutriments: { 'energy-kcal_100g': 260, proteins_100g: 0.3, carbohydrates_100g: 64, fat_100g: 0.1 },
  }),
);

const folder = tempFolder();
const backups = tempFolder();
afterAll(() => backups[Symbol.dispose]());
const file = join(folder.path, 'products.jsonl');
writeFileSync(file, PRODUCTS.join('\n'));
const table = join(folder.path, 'pantry.csv');
writeFileSync(
  table,
  'Food;Brand;Calories;Protein;Fat;Carbs;Shelf\nZwackel biscuits;Hof;450;7,5;18;64;2\nQuorfel cake;;300;3;9;50;3\n',
);
afterAll(() => folder[Symbol.dispose]());

describe.skipIf(noBrowser !== undefined).each(SIZES)('the console, on %s', (_, viewport) => {
  let service: PageService;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];
  beforeAll(async () => {
    service = await openPageService({ LARDER_BACKUP_TO: backups.path });
    browser = await startBrowser();
    const context = await browser.newContext({ viewport, locale: 'en-US' });
    await service.signIn(context);
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const open = (name: string) => page.getByRole('link', { name, exact: true }).click();

  test('an owner finds it in the settings', async () => {
    await page.goto(service.url);
    await open('Settings');
    await page.getByRole('link', { name: 'Console', exact: true }).first().click();
    await page.getByText('Everything works.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/console');
  });

  test('a file is imported, with its progress and report, and is served', async () => {
    await open('Imports');
    await page.getByRole('radio', { name: /A file/ }).check();
    await page.getByLabel('Choose a file').setInputFiles(file);
    await button('Start import').click();
    await region('Last imports').getByText('completed').waitFor();
    await region('Last imports').getByText('Open Food Facts').first().waitFor();
    const report = region('Report');
    await expect.poll(() => report.textContent()).toMatch(/Filesproducts\.jsonl.*Records read3Kept3/);
    expect(await report.textContent()).not.toMatch(/Left out|Merged|startedAt|reasons|\d{4}-\d\d-\d\dT/);
    await open('Foods');
    await region('In use')
      .getByRole('row', { name: /Open Food Facts/ })
      .waitFor();
    await expect
      .poll(async () => JSON.stringify(await service.ask('GET', '/v1/foods/search?q=quince jelly')))
      .toContain('Quince jelly 1');
  });

  test('the catalogue of before is brought back', async () => {
    await region('Other catalogues').getByRole('button', { name: 'Use this one' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Use this one' }).click();
    await page.getByText('The catalogue is in use').waitFor();
    await expect
      .poll(async () => JSON.stringify(await service.ask('GET', '/v1/foods/search?q=quince jelly')))
      .not.toContain('Quince jelly 1');
  });

  test('a table is previewed, read anew by a changed map, and then imported', async () => {
    await open('Imports');
    await page.getByRole('radio', { name: /A table of foods/ }).check();
    await page.getByLabel('Choose a file').setInputFiles(table);
    await button('Show preview').click();
    const preview = region('Preview, nothing is stored yet');
    await preview.getByText('Columns are read by their headings. Amounts are of 100 g.').waitFor();
    await preview.getByText('Not read: Shelf.').waitFor();
    const foods = preview.getByRole('table', { name: 'The first foods' }).getByRole('row');
    await expect
      .poll(() => foods.allTextContents())
      .toEqual([
        expect.stringMatching(/^Name/),
        expect.stringMatching(/^Zwackel biscuits Hof.*450 kcal7\.5 g18 g64 g$/),
        expect.stringMatching(/^Quorfel cake.*300 kcal3 g9 g50 g$/),
      ]);
    expect(await service.ask<object[]>('GET', '/v1/operator/imports')).toHaveLength(1);
    await preview.getByText('How the columns are read').first().click();
    const map = preview.getByLabel('Map of the columns');
    await map.fill((await map.inputValue()).replace('Brand: brand', 'Brand: alias'));
    // What was changed is shown first.
    await expect.poll(() => button('Start import').count()).toBe(0);
    await button('Show preview').click();
    await preview.getByText('Columns are read by your map.').waitFor();
    await expect.poll(() => foods.nth(1).textContent()).toMatch(/^Zwackel biscuits 100 g450 kcal/);
    await button('Start import').click();
    await expect.poll(() => region('Last imports').textContent()).toMatch(/Table of foods.*completed/);
    const [last] = await service.ask<object[]>('GET', '/v1/operator/imports');
    expect(last).toMatchObject({ source: 'table', report: { kept: 2 } });
    await expect
      .poll(async () => JSON.stringify(await service.ask('GET', '/v1/foods/search?q=zwackel biscuits')))
      .toContain('Zwackel biscuits');
  });

  test('a file that is no table is refused in the preview', async () => {
    await page.getByRole('radio', { name: /A table of foods/ }).check();
    await page.getByLabel('Choose a file').setInputFiles(file);
    await button('Show preview').click();
    await page.getByText(/has no headings for the name and the energy of foods/).waitFor();
    expect(await button('Start import').count()).toBe(0);
  });

  test('a key is made, shown once, used, and revoked', async () => {
    await open('Keys');
    await page.getByRole('textbox', { name: 'Name' }).fill('Kitchen tablet');
    await button('Create key').click();
    const field = page.getByRole('dialog').getByRole('textbox');
    const key = await field.inputValue();
    expect(key).toMatch(/^lrd_/);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    const search = () =>
      fetch(`${service.url}/v1/foods/search?q=banana`, { headers: { authorization: `Bearer ${key}` } });
    expect((await search()).status).toBe(200);
    const row = page.getByRole('row', { name: /Kitchen tablet/ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('“Kitchen tablet” is revoked').waitFor();
    await row.waitFor({ state: 'detached' });
    await expect.poll(async () => (await search()).status).toBe(401);
  });

  test('a key of a new app is made after a question', async () => {
    await page.getByRole('textbox', { name: 'Name' }).fill('Counter');
    await page.getByRole('textbox', { name: 'App' }).fill('cafe');
    await button('Create key').click();
    await page.getByText('There is no app of this name yet. Begin it?').waitFor();
    // The browser reports the refusal that leads to the question.
    await expect.poll(() => faults).toEqual([expect.stringContaining('400 (Bad Request)')]);
    faults.length = 0;
    await button('Begin the app and create the key').click();
    expect(await page.getByRole('dialog').getByRole('textbox').inputValue()).toMatch(/^lrd_/);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row', { name: /Counter.*cafe/ }).waitFor();
  });

  test('a long list of keys is shown page by page', async () => {
    for (let at = 1; at <= 51; at++)
      await service.ask('POST', '/v1/keys', {
        tenant: 'default',
        scopes: ['foods:read'],
        name: `Number ${at}`,
      });
    await page.reload();
    const rows = page.getByRole('row', { name: /^Number / });
    await rows.first().waitFor();
    await expect.poll(() => rows.count()).toBeLessThan(51);
    await button('Show more').click();
    await expect.poll(() => rows.count()).toBe(51);
    await expect.poll(() => button('Show more').count()).toBe(0);
  });

  test('a webhook that was given up is enabled again, and its failed delivery sent again', async () => {
    const { key } = await service.ask<{ key: string }>('POST', '/v1/keys', {
      tenant: 'default',
      scopes: ['webhooks', 'diary:read'],
    });
    const post = async (path: string, body?: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await fetch(service.url + path, {
        method: 'POST',
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      return answer.json() as Promise<{ id: string }>;
    };
    const hook = { url: 'https://app.example.com/hook', events: ['diary.changed'] };
    const { id } = await post('/v1/webhooks', hook);
    await post(`/v1/webhooks/${id}/test`);
    {
      using database = new DatabaseSync(join(service.dataDir, 'larder.db'), { timeout: 60_000 });
      database.exec(`update webhook_deliveries set due_at_ms = null, is_leased = 0, outcome = 'failed'`);
      database.exec(`update webhooks set is_enabled = 0, disabled_reason = 'failing', disabled_at_ms = 1`);
    }
    await open('Webhooks');
    const panel = region('https://app.example.com/hook');
    await panel.getByRole('row', { name: /failed/ }).waitFor();
    await expect.poll(() => panel.getByRole('button', { name: 'Send again' }).count()).toBe(0);
    await panel.getByRole('button', { name: 'Enable again' }).click();
    await page.getByText('The webhook is enabled').waitFor();
    await panel.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('It is being sent again').waitFor();
    await expect.poll(() => panel.getByRole('button', { name: 'Send again' }).count()).toBe(0);
  });

  test('somebody is invited, and the invitation withdrawn', async () => {
    await open('People');
    await button('Invite').click();
    const link = await page.getByLabel('This link is shown once. Copy it and send it.').inputValue();
    expect(link).toContain('/welcome#link=');
    await button('Withdraw').click();
    await page.getByText('No invitation is open.').waitFor();
  });

  test('a member is sent back to the diary', async () => {
    const { url } = await service.ask<{ url: string }>('POST', '/v1/invitations', { role: 'member' });
    const context = await browser.newContext({ viewport, locale: 'en-US' });
    const other = await context.newPage();
    await other.goto(`${service.url}/welcome${new URL(url).hash}`);
    await other.getByRole('textbox', { name: 'Name' }).fill('Cem');
    await other.getByLabel('Password').fill('toast and eggs');
    await other.getByRole('button', { name: 'Create account' }).click();
    await other.getByRole('region', { name: 'Breakfast', exact: true }).waitFor();
    await other.getByRole('link', { name: 'Settings' }).click();
    await other.getByRole('heading', { name: 'Appearance' }).waitFor();
    expect(await other.getByRole('link', { name: 'Console' }).count()).toBe(0);
    await other.goto(`${service.url}/console`);
    await other.getByText('The console is for the owners of this Larder.').waitFor();
    await other.getByRole('link', { name: 'Back to the diary' }).click();
    await other.getByRole('region', { name: 'Breakfast', exact: true }).waitFor();
    await context.close();
  });

  test('a member who forgot the password gets a link, and is told after the next sign-in', async () => {
    await open('People');
    // Cem has joined since the list was read.
    await page.reload();
    await page.getByRole('row', { name: /^Cem/ }).getByRole('button', { name: 'Reset password' }).click();
    await button('Make the link').click();
    const link = await page.getByLabel('The link for Cem, shown this once').inputValue();
    const context = await browser.newContext({ viewport, locale: 'en-US' });
    const other = await context.newPage();
    await other.goto(`${service.url}/welcome${new URL(link).hash}`);
    await other.getByLabel('Password').fill('pears and walnuts');
    await other.getByRole('button', { name: 'Set password' }).click();
    await other.getByText('The password of Cem is set.').waitFor();
    await other.getByRole('link', { name: 'Sign in' }).click();
    await other.getByRole('textbox', { name: 'Name' }).fill('Cem');
    await other.getByLabel('Password').fill('pears and walnuts');
    await other.getByRole('button', { name: 'Sign in' }).click();
    const notice = other.getByRole('dialog', { name: 'Your password was set anew' });
    await notice.getByText(/a new password of your account was set by a link that \S+ made/).waitFor();
    await notice.getByRole('button', { name: 'Done' }).click();
    await notice.waitFor({ state: 'hidden' });
    await other.reload();
    await other.getByRole('region', { name: 'Breakfast', exact: true }).waitFor();
    expect(await notice.count()).toBe(0);
    await context.close();
  });

  test('the last backup and import are shown, with the way to restore the backup', async () => {
    await open('Overview');
    await expect
      .poll(() => region('Backups and imports').textContent())
      .toMatch(/Last backup.*kB|Last backup.*MB/);
    expect(await region('Backups and imports').textContent()).toContain('Last import');
    await open('Backup');
    const schedule = region('Backups on a schedule');
    await expect.poll(() => schedule.textContent()).toMatch(/Next backup.*Kept1 of 14/);
    expect(await schedule.locator('pre').textContent()).toMatch(/^larder restore larder-.*\.db$/);
  });

  test('security events are listed, with who and the result, or only those that did not succeed', async () => {
    await fetch(`${service.url}/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ann', password: 'a wrong password' }),
    });
    await open('Security');
    const table = page.getByRole('table', { name: 'Security' });
    await table.getByRole('row').filter({ hasText: 'Key made' }).filter({ hasText: 'Ann' }).first().waitFor();
    await page.getByLabel('Only what did not succeed').check();
    await table
      .getByRole('row')
      .filter({ hasText: 'Sign-in' })
      .filter({ hasText: 'refused' })
      .first()
      .waitFor();
    const made = table.getByRole('row').filter({ hasText: 'Key made' });
    // The question before a key of a new app was a refusal.
    const others = async () => (await made.allTextContents()).filter((row) => !row.includes('refused'));
    await expect.poll(others).toEqual([]);
  });

  test('the backup is a file', async () => {
    await open('Backup');
    const download = page.waitForEvent('download');
    await button('Download backup').click();
    expect((await download).suggestedFilename()).toMatch(/\.db/);
  });

  test('nothing failed on the way', () => {
    expect(faults).toEqual([]);
  });
});
