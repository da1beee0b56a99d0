import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Larder } from '#larder-client';
import { noBrowser, SIZES, startBrowser } from '../support/chromium.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { PageVisit } from './support/page-visit.ts';

const today = () => new Date().toISOString().slice(0, 10);

describe.skipIf(noBrowser !== undefined).each(SIZES)('the page without its service, on %s', (_, size) => {
  let service: ServiceProcess;
  let browser: Browser;
  let visit: PageVisit;
  /** Another app of the same person. */
  let other: Larder;
  let userId: string;

  beforeAll(async () => {
    service = await startServiceProcess({ LARDER_THREADS: '1', LARDER_PAGE: 'on' });
    browser = await startBrowser();
    visit = await PageVisit.open(browser, service, size);
    await visit.createAccount(service);
    const session = await visit.context.request.get(`${service.url}/v1/session`);
    userId = (await session.json()).person.id;
    other = new Larder({ url: service.url, key: service.key });
    const { diary } = other.user(userId);
    await diary.add({
      date: today(),
      mealType: 'lunch',
      foodName: 'Soup',
      calories: 200,
      quantity: 1,
      unit: 'bowl',
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const entriesOf = (mealType: string) =>
    other
      .user(userId)
      .diary.list({ date: today() })
      .then((all) => all.filter((entry) => entry.mealType === mealType));
  const status = () => visit.page.getByRole('status', { name: 'Offline' }).textContent();

  test('what another app writes appears by itself', async () => {
    await visit.entries('Lunch').getByText('Soup').waitFor();
  });

  test('a page that is opened offline shows the day as it was', async () => {
    // The page notes once that the first questions are not needed, or asks them.
    const isSettled = async () =>
      (await other.user(userId).settings.get()).firstRunDone === true ||
      (await visit.page.locator('.first-run').count()) > 0;
    await expect.poll(isSettled).toBe(true);
    await expect.poll(() => visit.countWaiting(userId)).toBe(0);
    await visit.page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await visit.setOnline(false);
    await visit.killAndOpen();
    await visit.entries('Lunch').getByText('Soup').waitFor();
    await expect.poll(status).toMatch(/^Offline/);
  });

  test('an entry that is written offline outlives the page, and is sent when the service is back', async () => {
    await visit.addRecent('Dinner', 'Soup');
    await visit.entries('Dinner').getByText('not sent yet').waitFor();
    await expect.poll(status).toBe('Offline 1 change waits to be sent');
    await visit.killAndOpen();
    await visit.entries('Dinner').getByText('Soup').waitFor();
    await expect.poll(() => entriesOf('dinner')).toEqual([]);
    await visit.setOnline(true);
    await expect.poll(() => entriesOf('dinner')).toHaveLength(1);
    await expect.poll(status).toBe('');
    await expect.poll(() => visit.entries('Dinner').textContent()).not.toContain('not sent');
  });

  test('a sentence that is written offline is kept, and read when the service is back', async () => {
    await visit.setOnline(false);
    await visit.button('Add to lunch').click();
    await visit.page.getByRole('combobox', { name: 'Search foods, barcode or text' }).fill('2 eggs and rice');
    await visit.page.getByText('Search needs the service.').waitFor();
    await visit.button('Keep this text for later').click();
    const kept = () => visit.page.getByRole('list', { name: 'Kept for later' });
    await kept().getByText('“2 eggs and rice”').waitFor();
    await visit.killAndOpen();
    await expect.poll(() => kept().getByRole('button', { name: 'Check and add' }).isDisabled()).toBe(true);
    await visit.setOnline(true);
    // Nobody has to ask for it; nothing is logged unasked.
    await kept()
      .getByText(/^Read: .*[Ee]gg/)
      .waitFor();
    expect(await entriesOf('lunch')).toHaveLength(1);
    await kept().getByRole('button', { name: 'Check and add' }).click();
    await visit.button('Add 2 foods').click();
    await expect.poll(() => entriesOf('lunch')).toHaveLength(3);
    await kept().waitFor({ state: 'detached' });
    await expect.poll(() => visit.entries('Lunch').count()).toBe(3);
  });

  test('an entry that the service refuses is set aside, and the others are sent', async () => {
    const food = await other.foods.add({
      name: 'Own cake',
      userId,
      servingSize: { value: 1, unit: 'piece', grams: 80 },
      macros: { energy: 300, protein: 4, carbohydrates: 40, fat: 12 },
    });
    await other
      .user(userId)
      .diary.add({ date: today(), mealType: 'breakfast', foodId: food.id, quantity: 1, unit: 'piece' });
    await visit.entries('Breakfast').getByText('Own cake').waitFor();
    // Online, since the list of recents comes after the entry.
    await visit.addRecent('Breakfast', 'Own cake');
    await visit.setOnline(false);
    await visit.addRecent('Snacks', 'Own cake');
    await visit.addRecent('Snacks', 'Soup');
    await other.foods.remove(food.id);
    await visit.setOnline(true);
    await expect
      .poll(() => entriesOf('snacks').then((all) => all.map(({ foodName }) => foodName)))
      .toEqual(['Soup']);
    await visit.entries('Snacks').getByText('not taken over').waitFor();
    await visit.button('Look at it').click();
    const dialog = visit.page.getByRole('dialog', { name: 'Changes that were not taken over' });
    await dialog.getByText('Own cake').waitFor();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await dialog.getByText('Everything is taken over.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => visit.entries('Snacks').count()).toBe(1);
  });

  test('an entry that was changed on two devices is shown side by side, and the choice is written', async () => {
    const soup = (await entriesOf('lunch')).find(({ foodName }) => foodName === 'Soup');
    await visit.setOnline(false);
    await visit.entries('Lunch').getByText('Soup').click();
    await visit.page.getByRole('textbox', { name: 'Amount' }).fill('3');
    await visit.button('Save').click();
    await visit.entries('Lunch').getByText('3 bowl').waitFor();
    await other.user(userId).diary.change(soup!.id, { quantity: 2 });
    await visit.setOnline(true);
    await visit.button('Look at it').click();
    await visit.page.getByRole('region', { name: 'Yours' }).getByText('3 bowl').waitFor();
    await visit.page.getByRole('region', { name: 'Other device' }).getByText('2 bowl').waitFor();
    await visit.button('Keep yours').click();
    await expect
      .poll(() => entriesOf('lunch').then((all) => all.find(({ id }) => id === soup!.id)?.quantity))
      .toBe(3);
    await visit.button('Close').click();
    await visit.entries('Lunch').getByText('3 bowl').waitFor();
  });

  test('nothing failed while the service could be reached', () => {
    expect(visit.faults.filter((fault) => !fault.startsWith('404'))).toEqual([]);
  });

  test('signing out leaves nothing of the diary on the device, also before its card is read', async () => {
    const { page } = visit;
    await page.route('**/v1/session', async (route) => {
      // The card reads the session, and gets no answer.
      if (route.request().method() !== 'GET') await route.fallback();
    });
    await page.getByRole('link', { name: 'Settings' }).click();
    await visit.button('Sign out').click();
    await page.getByLabel('Password').waitFor();
    const databases = () => page.evaluate('indexedDB.databases().then((all) => all.length)');
    await expect.poll(databases).toBe(0);
  });
});
