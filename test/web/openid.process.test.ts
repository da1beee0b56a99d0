import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES, startBrowser } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { CLIENT, type OpenIdProvider, openOpenIdProvider } from '../support/openid-provider.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

describe.skipIf(noBrowser !== undefined).each(SIZES)('signing in by OpenID, on %s', (_, viewport) => {
  let provider: OpenIdProvider;
  let service: ServiceProcess;
  let browser: Browser;
  let page: Page;
  /** What a developer would see as red lines. */
  const faults: string[] = [];

  const openPage = async (): Promise<Page> => {
    const context = await browser.newContext({ viewport, locale: 'en-US' });
    const opened = await context.newPage();
    opened.setDefaultTimeout(60_000);
    opened.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
    });
    opened.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    opened.on('pageerror', (error) => faults.push(String(error)));
    return opened;
  };

  beforeAll(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    provider = await openOpenIdProvider(`${url}/v1/session/openid/callback`);
    service = await startServiceProcess({
      LARDER_THREADS: '1',
      LARDER_PORT: String(port),
      LARDER_PUBLIC_URL: url,
      LARDER_OPENID_ISSUER: provider.issuer,
      LARDER_OPENID_CLIENT_ID: CLIENT.id,
      LARDER_OPENID_CLIENT_SECRET: CLIENT.secret,
      LARDER_OPENID_NAME: 'Test login',
    });
    browser = await startBrowser();
    page = await openPage();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
  });

  const breakfast = (of = page) => of.getByRole('region', { name: 'Breakfast', exact: true });
  const button = (name: string, of = page) => of.getByRole('button', { name, exact: true });

  test('the link of the first start makes the owner by an account of the provider', async () => {
    provider.become('ann', 'Ann');
    const link = readFileSync(join(service.dataDir, 'owner-link.txt'), 'utf8').trim().split('#')[1]!;
    await page.goto(`${service.url}/welcome#${link}`);
    await button('Sign in with Test login').click();
    await breakfast().waitFor();
    expect(new URL(page.url()).hash).toBe('');
  });

  test('the settings show the account', async () => {
    await page.getByRole('link', { name: 'Settings' }).click();
    const accounts = page.getByRole('region', { name: 'Accounts of Test login' });
    await accounts.getByRole('listitem').waitFor();
    await expect.poll(() => accounts.getByRole('listitem').count()).toBe(1);
    provider.become('ann at work', 'Ann');
    await page.context().clearCookies({ name: /^_/ });
    await button('Link an account').click();
    await expect.poll(() => accounts.getByRole('listitem').count()).toBe(2);
    await accounts.getByRole('button', { name: 'Remove' }).first().click();
    await expect.poll(() => accounts.getByRole('listitem').count()).toBe(1);
  });

  test('another browser signs in by the account that is left', async () => {
    const other = await openPage();
    await other.goto(service.url);
    await button('Sign in with Test login', other).click();
    await breakfast(other).waitFor();
    await other.context().close();
  });

  test('a first password needs a recent sign-in, and signs in from then on', async () => {
    // As if the sign-in were an hour ago.
    using database = new DatabaseSync(join(service.dataDir, 'larder.db'), { timeout: 60_000 });
    database.exec('update sessions set created_at_ms = created_at_ms - 3600000');
    const account = page.getByRole('region', { name: 'Account', exact: true });
    await page.reload();
    await account.getByText('Set a password', { exact: true }).click();
    await account.getByText('To set one, sign in again').waitFor();
    await account.getByRole('button', { name: 'Sign in with Test login' }).click();
    await breakfast().waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await account.getByText('Set a password', { exact: true }).click();
    await expect.poll(() => account.getByLabel('Current password').count()).toBe(0);
    await account.getByLabel('New password').fill('porridge with plums');
    await account.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Password changed. Other devices are signed out.').waitFor();
    await account.getByText('Change password', { exact: true }).waitFor();
    const other = await openPage();
    await other.goto(service.url);
    await other.getByRole('textbox', { name: 'Name' }).fill('Ann');
    await other.getByLabel('Password').fill('porridge with plums');
    await button('Sign in', other).click();
    await breakfast(other).waitFor();
    await other.context().close();
  });

  test('an account that nobody has linked is told what to do', async () => {
    provider.become('stranger');
    const other = await openPage();
    await other.goto(service.url);
    await button('Sign in with Test login', other).click();
    const problem = other.getByRole('alert');
    await problem.waitFor();
    await expect.poll(() => problem.textContent()).toMatch(/^Nobody here has linked this account/);
    await button('Sign in', other).waitFor();
    await other.context().close();
  });

  test('nothing failed on the way', () => {
    expect(faults).toEqual([]);
  });
});
