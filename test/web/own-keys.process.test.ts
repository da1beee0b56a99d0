import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { askAs, type OpenPage, openPage } from './support/open-page.ts';

const DATE = '2030-01-01';
const SOUP = { date: DATE, mealType: 'lunch', foodName: 'Soup', calories: 100 };

describe.skipIf(noBrowser !== undefined).each(SIZES)('keys for own apps, on %s', (_, viewport) => {
  let open: OpenPage;
  let other: Page;
  let key: string;
  let ownId: string;
  let partnerId: string;
  const idOf = async (page: Page) =>
    ((await askAs(page, 'GET', '/v1/session')) as { person: { id: string } }).person.id;
  beforeAll(async () => {
    open = await openPage({ context: { viewport } });
    const { url } = (await askAs(open.page, 'POST', '/v1/invitations', {})) as { url: string };
    const context = await open.browser.newContext({ viewport, locale: 'en-US' });
    other = await context.newPage();
    other.setDefaultTimeout(60_000);
    await other.goto(url);
    await other.getByRole('textbox', { name: 'Name' }).fill('Ben');
    await other.getByLabel('Password').fill('rice and beans');
    await other.getByRole('button', { name: 'Create account' }).click();
    await other.getByRole('region', { name: 'Breakfast', exact: true }).waitFor();
    [ownId, partnerId] = [await idOf(other), await idOf(open.page)];
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  const card = () => other.getByRole('region', { name: 'Keys for own apps', exact: true });
  const item = () => card().getByRole('listitem').filter({ hasText: 'Kitchen scale' });
  /** Asks as the app does that has the key. */
  const call = (method: string, path: string, body?: object) =>
    fetch(open.service.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });

  test('a member creates one, which is shown once', async () => {
    await other.getByRole('link', { name: 'Settings' }).click();
    await card().getByText('New key', { exact: true }).click();
    await card().getByLabel('Name of the app').fill('Kitchen scale');
    await card().getByLabel('Scan photos').uncheck();
    await card().getByLabel('Valid until').fill('2999-12-31');
    await card().getByRole('button', { name: 'Create key' }).click();
    key = await card().getByLabel('Key of Kitchen scale').inputValue();
    expect(key).toMatch(/^lrd_/);
    await card().getByRole('button', { name: 'Copy' }).waitFor();
    await expect.poll(() => item().textContent()).toContain('Read my diary, Write in my diary, Search foods');
    await expect.poll(() => item().textContent()).toContain('never used · valid until Dec 31, 2999');
    await other.reload();
    await item().waitFor();
    await expect.poll(() => card().getByLabel('Key of Kitchen scale').count()).toBe(0);
    expect(await other.content()).not.toContain(key);
  });

  test('it writes the own diary, is refused for that of the partner, and shows its use', async () => {
    expect((await call('POST', `/v1/users/${ownId}/diary`, SOUP)).status).toBe(201);
    expect((await call('GET', `/v1/users/${ownId}/diary?date=${DATE}`)).status).toBe(200);
    expect((await call('GET', `/v1/users/${partnerId}/diary?date=${DATE}`)).status).toBe(403);
    expect((await call('POST', '/v1/scan/image', { clientId: 'scale' })).status).toBe(403);
    await expect
      .poll(async () => {
        await other.reload();
        await item().waitFor();
        return item().textContent();
      })
      .toContain('last used');
  });

  test('the owner sees in the console whose it is', async () => {
    await open.page.goto(`${open.service.url}/console/keys`);
    const row = open.page.getByRole('row', { name: /Kitchen scale/ });
    await row.getByText('Ben').waitFor();
    await row.getByRole('button', { name: 'Revoke' }).waitFor();
    await expect.poll(() => row.getByRole('button', { name: 'Replace' }).count()).toBe(0);
  });

  test('a second tap revokes it, and the app is refused', async () => {
    await card().getByRole('button', { name: 'Revoke Kitchen scale' }).click();
    await card().getByText('Revoke the key of Kitchen scale?').waitFor();
    await card().getByRole('button', { name: 'Cancel' }).click();
    expect((await call('GET', `/v1/users/${ownId}/diary?date=${DATE}`)).status).toBe(200);
    await card().getByRole('button', { name: 'Revoke Kitchen scale' }).click();
    await card().getByRole('button', { name: 'Revoke', exact: true }).click();
    await expect.poll(() => item().count()).toBe(0);
    await expect
      .poll(async () => (await call('GET', `/v1/users/${ownId}/diary?date=${DATE}`)).status)
      .toBe(401);
  });

  test('long after the sign-in, the member proves who they are and goes on', async () => {
    // As if the sign-in were two days ago.
    using database = new DatabaseSync(join(open.service.dataDir, 'larder.db'), { timeout: 60_000 });
    database.exec('update sessions set created_at_ms = created_at_ms - 172800000');
    const dialog = other.getByRole('dialog', { name: 'Confirm that it is you' });
    const create = () => card().getByRole('button', { name: 'Create key' }).click();
    const shown = () => card().getByLabel('Key of Blender').count();
    await card().getByText('New key', { exact: true }).click();
    await card().getByLabel('Name of the app').fill('Blender');
    await create();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await shown()).toBe(0);
    await create();
    await dialog.getByLabel('Password').fill('beans and rice');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('The password is wrong.').waitFor();
    await dialog.getByLabel('Password').fill('rice and beans');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect.poll(shown).toBe(1);
    await card().getByRole('listitem').filter({ hasText: 'Blender' }).waitFor();
  });
});
