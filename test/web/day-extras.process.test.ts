import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Larder, type User } from '#larder-client';
import { noBrowser, SIZES, startBrowser } from '../support/chromium.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { PageVisit } from './support/page-visit.ts';

const today = () => new Date().toISOString().slice(0, 10);

describe.skipIf(noBrowser !== undefined).each(SIZES)('what a day has beside its foods (%s)', (_, size) => {
  let service: ServiceProcess;
  let browser: Browser;
  let visit: PageVisit;
  /** Another app of the same person. */
  let user: User;
  const extras = () => visit.page.getByRole('region', { name: 'This day' });
  const dialog = (name: string) => visit.page.getByRole('dialog', { name });

  beforeAll(async () => {
    service = await startServiceProcess({ LARDER_THREADS: '1', LARDER_PAGE: 'on' });
    browser = await startBrowser();
    visit = await PageVisit.open(browser, service, size);
    await visit.createAccount(service);
    const session = await visit.context.request.get(`${service.url}/v1/session`);
    user = new Larder({ url: service.url, key: service.key }).user((await session.json()).person.id);
    await user.diary.add({
      ...{ date: '2026-01-31', mealType: 'lunch', foodName: 'Stew', calories: 600 },
      note: 'From the cousin',
    });
    await user.days.set('2026-01-30', { note: 'Visit of a cousin' });
    const at = { date: today(), mealType: 'lunch' } as const;
    await user.diary.add([
      { ...at, foodName: 'Rice', calories: 400 },
      { ...at, foodName: 'Peas', calories: 80 },
    ]);
    await visit.entries('Lunch').getByText('Peas').waitFor();
    await visit.page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const water = async () =>
    (await user.measurements.list({ name: 'water' }).all()).map(({ value, unit }) => `${value} ${unit}`);

  test('one tap adds water, another device sees it, and undo takes it away', async () => {
    await visit.button('Add 250 ml of water').click();
    await extras().getByText('250 ml', { exact: true }).first().waitFor();
    await expect.poll(water).toEqual(['250 ml']);
    await visit.button('Undo').click();
    await expect.poll(water).toEqual([]);
    await visit.button('Add 250 ml of water').click();
    await visit.button('Goal and step of water').click();
    await visit.page.getByRole('textbox', { name: 'Goal of a day' }).fill('2000');
    await visit.page.getByRole('textbox', { name: 'One tap adds' }).fill('300');
    await dialog('Goal and step of water').getByRole('button', { name: 'Save' }).click();
    await extras().getByText('250 ml of 2,000 ml').waitFor();
    await visit.button('Add 300 ml of water').click();
    await extras().getByText('550 ml of 2,000 ml').waitFor();
    expect(await user.settings.get()).toMatchObject({ waterGoalMl: 2000, waterStepMl: 300 });
    expect((await user.diary.totals({ date: today() })).calories).toBe(480);
  });

  test('a note and whether the day is complete are kept without the service, and sent later', async () => {
    await visit.setOnline(false);
    await visit.button('Note on this day').click();
    await visit.page.getByRole('textbox', { name: 'Note' }).fill('Rain\nall day');
    await extras().getByRole('button', { name: 'Save' }).click();
    await extras().getByText('Rain').waitFor();
    await extras().getByRole('checkbox', { name: 'Day is complete' }).check();
    await user.days.change(today(), { complete: false });
    await visit.setOnline(true);
    await expect.poll(() => user.days.get(today())).toMatchObject({ note: 'Rain\nall day', complete: true });
    await visit.page.reload();
    await extras().getByText('Rain').waitFor();
    expect(await extras().getByRole('checkbox', { name: 'Day is complete' }).isChecked()).toBe(true);
  });

  test('a search finds notes of days and entries, and a tap leads to the day', async () => {
    await visit.button('Search notes').click();
    await visit.page.getByRole('searchbox', { name: 'Words in a note' }).fill('COUSIN');
    const rows = dialog('Search notes').getByRole('listitem');
    await rows.filter({ hasText: 'From the cousin' }).waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    await rows.filter({ hasText: 'Visit of a cousin' }).getByRole('button').click();
    await dialog('Search notes').waitFor({ state: 'hidden' });
    await extras().getByText('Visit of a cousin').waitFor();
    await visit.button('Back to today').click();
    await visit.entries('Lunch').getByText('Peas').waitFor();
  });

  test('a meal is saved, and logged as a whole in one tap, renamed and deleted', async () => {
    await visit.button('More for Lunch').click();
    await visit.button('Save as a meal').click();
    await dialog('Save as a meal').getByRole('textbox', { name: 'Name of the meal' }).fill('Rice and peas');
    await dialog('Save as a meal').getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await user.meals.list()).map(({ name }) => name))
      .toEqual(['Rice and peas']);
    await visit.setOnline(false);
    await visit.button('Add to dinner').click();
    await visit.page.getByRole('button', { name: /^Rice and peas/ }).click();
    await visit.entries('Dinner').getByText('Peas').waitFor();
    await visit.setOnline(true);
    const dinner = async () =>
      (await user.diary.list({ date: today() }).all())
        .filter(({ mealType }) => mealType === 'dinner')
        .map(({ foodName, calories }) => [foodName, calories]);
    await expect.poll(dinner).toEqual([
      ['Rice', 400],
      ['Peas', 80],
    ]);
    await visit.button('Undo').click();
    await expect.poll(dinner).toEqual([]);
    await visit.button('Add to dinner').click();
    await visit.button('Change Rice and peas').click();
    await dialog('Rice and peas').getByRole('textbox', { name: 'Name of the meal' }).fill('Risi e bisi');
    await dialog('Rice and peas').getByRole('button', { name: 'Save' }).click();
    await visit.button('Change Risi e bisi').click();
    await dialog('Risi e bisi').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => user.meals.list()).toEqual([]);
    await dialog('Add to dinner').getByRole('button', { name: 'Close' }).click();
  });

  test('a food with a star is offered first, and one tap adds it', async () => {
    await visit.button('Add to snacks').click();
    const field = visit.page.getByRole('combobox', { name: 'Search foods, barcode or text' });
    await field.fill('banana');
    await visit.page
      .getByRole('option', { name: /banana/i })
      .first()
      .click();
    await visit.page.getByRole('button', { name: /^Make .*anana.* a favourite$/ }).click();
    await visit.page.getByRole('button', { name: /anana.* is a favourite/ }).waitFor();
    await expect
      .poll(() => user.favourites.list())
      .toMatchObject([{ name: expect.stringMatching(/banana/i) }]);
    await visit.button('Add').click();
    await visit
      .entries('Snacks')
      .getByText(/banana/i)
      .waitFor();
    await visit.button('Add to dinner').click();
    const starred = visit.page.getByRole('region', { name: 'Favourites' });
    await starred.getByRole('button', { name: /banana/i }).click();
    await visit
      .entries('Dinner')
      .getByText(/banana/i)
      .waitFor();
  });
});
