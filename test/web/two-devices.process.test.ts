import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES, startBrowser } from '../support/chromium.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { PageVisit } from './support/page-visit.ts';

/** The promise of docs/page.md, with room for a machine that runs all tests at once. */
const SEEN_MS = 2_000;
const ROOM = 5;

describe.skipIf(noBrowser !== undefined)('one person on a phone and a desktop', () => {
  let service: ServiceProcess;
  let browser: Browser;
  let phone: PageVisit;
  let desktop: PageVisit;

  beforeAll(async () => {
    service = await startServiceProcess({ LARDER_THREADS: '1', LARDER_PAGE: 'on' });
    browser = await startBrowser();
    phone = await PageVisit.open(browser, service, SIZES[0][1]);
    desktop = await PageVisit.open(browser, service, SIZES[1][1]);
    await phone.createAccount(service);
    await desktop.signIn();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const seen = { timeout: SEEN_MS * ROOM };

  async function addByName(on: PageVisit, meal: string, text: string): Promise<void> {
    await on.button(`Add to ${meal.toLowerCase()}`).click();
    await on.page.getByRole('combobox', { name: 'Search foods, barcode or text' }).fill(text);
    await on.page
      .getByRole('option', { name: /^Banana/ })
      .first()
      .click();
    await on.button('Add').click();
    await on.entries(meal).first().waitFor();
  }

  test('an entry of one appears on the other within two seconds', async () => {
    await addByName(phone, 'Breakfast', 'banana');
    await desktop.entries('Breakfast').getByText('Banana').waitFor(seen);
    await addByName(desktop, 'Lunch', 'banana');
    await phone.entries('Lunch').getByText('Banana').waitFor(seen);
  });

  test('a change and a deletion appear, too, and the sums with them', async () => {
    await phone.entries('Breakfast').getByRole('button').first().click();
    await phone.page.getByRole('textbox', { name: 'Amount' }).fill('3');
    await phone.button('Save').click();
    await desktop
      .entries('Breakfast')
      .getByText(/^3 (?!kcal)/)
      .waitFor(seen);
    const energy = (on: PageVisit) => on.page.getByRole('status', { name: 'Energy' }).textContent();
    const sums = () => Promise.all([energy(phone), energy(desktop)]);
    await expect.poll(async () => new Set(await sums()).size, seen).toBe(1);
    await desktop.entries('Lunch').getByRole('button').first().click();
    await desktop.button('Delete').click();
    await phone
      .entries('Lunch')
      .first()
      .waitFor({ ...seen, state: 'detached' });
  });

  test('two tabs of one browser show the same', async () => {
    const { page } = desktop;
    desktop.page = await desktop.context.newPage();
    await desktop.page.goto(service.url);
    await addByName(desktop, 'Dinner', 'banana');
    await page.getByRole('region', { name: 'Dinner' }).getByRole('listitem').first().waitFor(seen);
  });

  test('nothing failed on the way', () => {
    expect([...phone.faults, ...desktop.faults]).toEqual([]);
  });

  test('a device that was signed out from the other one keeps nothing at its next contact but what it has not sent', async () => {
    const { page } = phone;
    const kept = (table: string) =>
      page.evaluate(`(async () => {
        const [{ name }] = await indexedDB.databases();
        const database = await new Promise((resolve) => {
          const opening = indexedDB.open(name);
          opening.onsuccess = () => resolve(opening.result);
        });
        const all = await new Promise((resolve) => {
          const asked = database.transaction('${table}').objectStore('${table}').count();
          asked.onsuccess = () => resolve(asked.result);
        });
        database.close();
        return all;
      })()`);
    expect(await kept('things')).toBeGreaterThan(0);
    await phone.setOnline(false);
    await phone.addRecent('Snacks', 'Banana');
    await phone.entries('Snacks').first().waitFor();
    await desktop.page.getByRole('link', { name: 'Settings' }).click();
    await desktop.button('Sign out there').first().click();
    await desktop.button('Sign out there').waitFor({ state: 'detached' });
    await phone.setOnline(true);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate("localStorage.getItem('larder-session')")).toBeNull();
    await expect.poll(() => kept('things')).toBe(0);
    expect(await kept('writes')).toBe(1);
    await phone.signIn();
    await phone.entries('Snacks').first().waitFor();
    await desktop.page.goto(service.url);
    await desktop.entries('Snacks').first().waitFor();
  });
});
