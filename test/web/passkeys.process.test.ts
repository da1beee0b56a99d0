import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { type OpenPage, openPage } from './support/open-page.ts';

const PASSWORD = 'eggs and toast';

describe.skipIf(noBrowser !== undefined).each(SIZES)('passkeys, on %s', (_, viewport) => {
  let open: OpenPage;
  let page: Page;
  let devices: CDPSession;
  let codes: string[];
  beforeAll(async () => {
    open = await openPage({ context: { viewport } });
    ({ page } = open);
    devices = await page.context().newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  const card = () => page.getByRole('region', { name: 'Passkeys', exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  /** An address with a name: browsers bind no passkey to a number. */
  const home = () => `http://localhost:${new URL(open.service.url).port}/`;
  const breakfast = () => page.getByRole('region', { name: 'Breakfast', exact: true });
  const settings = async () => {
    await page.getByRole('link', { name: 'Settings' }).click();
    await card().waitFor();
    // What the view reads has come before somebody signs out.
    await page.getByLabel(/^Everybody/).waitFor({ state: 'attached' });
  };
  const signOut = async () => {
    await settings();
    await button('Sign out').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  };
  const typePassword = async () => {
    await page.getByRole('textbox', { name: 'Name' }).first().fill('Ann');
    await page.getByLabel('Password').fill(PASSWORD);
    await button('Sign in').click();
  };
  /** Where the person was before. */
  const isIn = () => page.getByRole('link', { name: 'Settings' }).waitFor();
  const step = () => page.getByRole('dialog', { name: 'One more step' });

  test('at an address that is a number, the page says why there are none', async () => {
    await settings();
    await card().getByText('not at a number such as 192.168.1.20').waitFor();
    expect(await card().getByRole('button', { name: 'Add a passkey' }).count()).toBe(0);
  });

  test('one is added in the settings, with recovery codes', async () => {
    await page.goto(home());
    await typePassword();
    await breakfast().waitFor();
    await settings();
    await card().getByLabel('Name of the passkey').fill('My phone');
    await button('Add a passkey').click();
    await card().getByRole('listitem').filter({ hasText: 'My phone' }).getByText('for localhost').waitFor();
    codes = (await page.getByRole('region', { name: 'Recovery codes' }).locator('code').textContent())!.split(
      '\n',
    );
    expect(codes).toHaveLength(10);
    await card().getByText('10 recovery codes are left.').waitFor();
  });

  test('it signs in alone', async () => {
    await signOut();
    await button('Sign in with a passkey').click();
    await isIn();
    await settings();
    await card().getByText('last used').waitFor();
  });

  test('long after the sign-in, it proves who the person is, who then goes on', async () => {
    // As if the sign-in were two days ago.
    using database = new DatabaseSync(join(open.service.dataDir, 'larder.db'), { timeout: 60_000 });
    database.exec(
      'update sessions set created_at_ms = created_at_ms - 172800000, proved_at_ms = proved_at_ms - 172800000',
    );
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await button('New recovery codes').click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('region', { name: 'Recovery codes' }).count()).toBe(0);
    await button('New recovery codes').click();
    await dialog.getByRole('button', { name: 'Confirm with a passkey' }).click();
    await dialog.waitFor({ state: 'detached' });
    const renewed = await page.getByRole('region', { name: 'Recovery codes' }).locator('code').textContent();
    expect(renewed!.split('\n')).toHaveLength(10);
    codes = renewed!.split('\n');
  });

  test('it is asked for after the password where the person wants that, or a recovery code', async () => {
    await card().getByLabel('Ask for a passkey after the password, too').click();
    await expect.poll(() => card().getByLabel('Ask for a passkey').isChecked()).toBe(true);
    await signOut();
    await typePassword();
    await step().getByRole('button', { name: 'Confirm with a passkey' }).click();
    await isIn();
    await signOut();
    await typePassword();
    await step().getByLabel('Recovery code').fill(codes[0]!);
    await step().getByRole('button', { name: 'Use the code' }).click();
    await isIn();
    await settings();
    await card().getByText('9 recovery codes are left.').waitFor();
  });

  test('without a password, passkeys and recovery codes sign in', async () => {
    await button('Remove the password').click();
    await button('Remove the password').click();
    await page.getByText('You sign in by passkeys alone.').waitFor();
    await signOut();
    await page.getByText('Lost your passkeys?').click();
    await page.locator('input[name=who]').fill('Ann');
    await page.getByLabel('Recovery code').fill(codes[1]!.toUpperCase());
    await button('Use the code').click();
    await isIn();
    await signOut();
    await button('Sign in with a passkey').click();
    await isIn();
  });

  test('nothing failed on the way but sign-ins that a passkey had to follow', () => {
    const refused = `403 ${home()}v1/session`;
    const others = open.faults.filter((fault) => !fault.startsWith(home()) && !fault.includes('403'));
    expect(open.faults.filter((fault) => fault === refused)).toHaveLength(2);
    expect(others).toEqual([]);
  });
});
