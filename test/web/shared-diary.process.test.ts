import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ean13Bars } from '../support/barcode-bars.ts';
import { barcodePicture } from '../support/barcode-picture.ts';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { askAs, type OpenPage, openPage } from './support/open-page.ts';

const CODE = '4006381333931';
const PHOTO_CODE = '4000417025005';
const FIELD = 'Search foods, barcode or text';
const USER_ID = `JSON.parse(localStorage.getItem('larder-session')).id`;
const DAY_BEFORE = `new Date(Date.now() - 864e5).toLocaleDateString('sv-SE')`;
const TODAY = `new Date().toLocaleDateString('sv-SE')`;

describe.skipIf(noBrowser !== undefined).each(SIZES)(
  'a diary that two people write, on %s',
  (_, viewport) => {
    let open: OpenPage;
    let ann: Page;
    let bob: Page;
    let annId: string;
    let bobId: string;

    const entries = (page: Page, meal: string) =>
      page.getByRole('region', { name: meal, exact: true }).getByRole('listitem');
    const names = async (page: Page, meal: string) =>
      (await entries(page, meal).locator('.entry-name').allTextContents()).toSorted();
    const button = (name: string | RegExp) =>
      bob.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
    const field = () => bob.getByRole('combobox', { name: FIELD });
    const openEntry = (meal: string, name: string) =>
      entries(bob, meal)
        .getByRole('button', { name: new RegExp(`^${name}`) })
        .click();
    const share = (access: string) =>
      askAs(ann, 'PUT', '/v1/people/me/sharing', { default: access, people: {} });

    beforeAll(async () => {
      open = await openPage({ context: { viewport } });
      ann = open.page;
      const { url } = (await askAs(ann, 'POST', '/v1/invitations', {})) as { url: string };
      const context = await open.browser.newContext({ viewport, locale: 'en-US' });
      bob = await context.newPage();
      bob.setDefaultTimeout(60_000);
      await bob.goto(url);
      await bob.getByRole('textbox', { name: 'Name' }).fill('Bob');
      await bob.getByLabel('Password').fill('rice and beans');
      await button('Create account').click();
      await entries(bob, 'Breakfast').or(button('Add to breakfast')).first().waitFor();
      annId = await ann.evaluate<string>(USER_ID);
      bobId = await bob.evaluate<string>(USER_ID);
      await askAs(ann, 'POST', '/v1/foods', {
        name: 'Crackers',
        barcode: CODE,
        servingSize: { value: 30, unit: 'g' },
        macros: { energy: 129 },
        shared: false,
      });
      await askAs(ann, 'POST', '/v1/foods', {
        name: 'Wafers',
        barcode: PHOTO_CODE,
        servingSize: { value: 30, unit: 'g' },
        macros: { energy: 150 },
      });
      const yesterday = await ann.evaluate<string>(DAY_BEFORE);
      await askAs(ann, 'POST', `/v1/users/${annId}/diary/batch`, [
        {
          date: yesterday,
          mealType: 'dinner',
          foodName: 'Soup',
          calories: 150,
          quantity: 1,
          unit: 'serving',
        },
      ]);
      await share('write');
      await bob.reload();
      await bob.getByLabel('Whose diary').selectOption({ label: 'Ann' });
      await bob.getByRole('heading', { name: 'Diary of Ann' }).waitFor();
    });
    afterAll(() => open?.[Symbol.asyncDispose]());

    test('the choice outlives a reload, and the diary of somebody else looks like it', async () => {
      await bob.reload();
      await bob.getByRole('heading', { name: 'Diary of Ann' }).waitFor();
      const accent = () =>
        bob.evaluate<string>(`getComputedStyle(document.querySelector('.shell')).getPropertyValue('--leaf')`);
      const others = await accent();
      await button('Add to dinner').click();
      await bob.getByRole('dialog').getByText('Diary of Ann').waitFor();
      await button('Close').click();
      await bob.getByLabel('Whose diary').selectOption({ label: 'Bob' });
      await bob.getByRole('heading', { name: 'Today' }).waitFor();
      expect(await accent()).not.toBe(others);
      await bob.getByLabel('Whose diary').selectOption({ label: 'Ann' });
      await bob.getByRole('heading', { name: 'Diary of Ann' }).waitFor();
    });

    test('foods are added by name, sentence, values and barcode, and the owner sees them', async () => {
      await button('Add to breakfast').click();
      await field().fill('banana');
      await bob
        .getByRole('option', { name: /^Banana/ })
        .first()
        .click();
      await button('Add').click();
      await expect.poll(() => names(bob, 'Breakfast')).toEqual(['Banana']);
      await button('Add to lunch').click();
      await field().fill('2 eggs and toast');
      await button('Add 2 foods').click();
      await expect.poll(() => entries(bob, 'Lunch').count()).toBe(2);
      await button('Add to snacks').click();
      await button('Quick add').click();
      await bob.getByLabel('What was it?').fill('Cake');
      await bob.getByRole('textbox', { name: 'Energy' }).fill('320');
      await button('Add').click();
      await expect.poll(() => names(bob, 'Snacks')).toEqual(['Cake']);
      await button('Add to snacks').click();
      await field().fill(CODE);
      await bob.getByRole('option', { name: /^Crackers/ }).click();
      await button('Add').click();
      await expect.poll(() => names(ann, 'Snacks')).toEqual(['Cake', 'Crackers']);
      await expect.poll(() => names(ann, 'Breakfast')).toEqual(['Banana']);
      await expect.poll(() => entries(ann, 'Lunch').count()).toBe(2);
    });

    test('a recipe of the owner is found, and logged in both diaries', async () => {
      const recipe = {
        name: 'Ann’s crumble',
        servings: 2,
        ingredients: [{ foodName: 'Oats', calories: 300, protein: 10 }],
      };
      await askAs(ann, 'POST', `/v1/users/${annId}/recipes`, recipe);
      const option = bob.getByRole('option', { name: /^Ann’s crumble/ });
      for (const whose of ['Bob', 'Ann']) {
        await bob.getByLabel('Whose diary').selectOption({ label: whose });
        await bob.getByRole('heading', { name: whose === 'Bob' ? 'Today' : 'Diary of Ann' }).waitFor();
        await button('Add to snacks').click();
        await field().fill('ann’s crumble');
        await expect.poll(() => option.first().textContent()).toMatch(/^Ann’s crumble1 serving150 kcal/);
        await option.first().click();
        await button('Add').click();
        await expect.poll(() => names(bob, 'Snacks')).toContain('Ann’s crumble');
        if (whose === 'Bob') await button('Undo').click();
      }
    });

    test('what the owner adds appears without a touch', async () => {
      const values = {
        date: await ann.evaluate<string>(TODAY),
        mealType: 'snacks',
        foodName: 'Pear',
        calories: 57,
      };
      const { id } = (await askAs(ann, 'POST', `/v1/users/${annId}/diary`, values)) as { id: string };
      await entries(bob, 'Snacks').getByText('Pear').waitFor();
      await askAs(ann, 'DELETE', `/v1/users/${annId}/diary/${id}`);
      await entries(bob, 'Snacks').getByText('Pear').waitFor({ state: 'detached' });
    });

    test('an addition whose answer is lost is written once, however often it is tried', async () => {
      let isLost = false;
      await bob.route('**/diary/batch', async (route) => {
        await route.fetch();
        isLost = true;
        await route.abort();
      });
      await button('Add to dinner').click();
      await button('Quick add').click();
      await bob.getByLabel('What was it?').fill('Plum');
      await bob.getByRole('textbox', { name: 'Energy' }).fill('40');
      await button('Add').click();
      await bob.getByRole('alert').first().waitFor();
      expect(isLost).toBe(true);
      await bob.unroute('**/diary/batch');
      await button('Add').click();
      await expect.poll(() => names(bob, 'Dinner')).toEqual(['Plum']);
      await expect.poll(() => names(ann, 'Dinner')).toEqual(['Plum']);
      await button('Undo').click();
      await expect.poll(() => names(ann, 'Dinner')).toEqual([]);
    });

    test('what the owner ate before and a photo are added, and an addition is undone', async () => {
      await button('Add to dinner').click();
      await bob.getByRole('region', { name: 'Recent' }).getByRole('button', { name: /^Soup/ }).click();
      await expect.poll(() => names(ann, 'Dinner')).toEqual(['Soup']);
      await button('Undo').click();
      await expect.poll(() => names(ann, 'Dinner')).toEqual([]);
      await button('Add to dinner').click();
      const picture = await barcodePicture({ bars: ean13Bars(PHOTO_CODE), modulePx: 4 });
      const photo = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await picture.jpeg().toBuffer() };
      await bob.getByLabel('Choose a photo').setInputFiles(photo);
      await bob.getByRole('textbox', { name: 'Amount, Wafers' }).fill('60');
      await button('Add 1 food').click();
      await entries(ann, 'Dinner').getByText('300 kcal').waitFor();
      await button('Undo').click();
      await expect.poll(() => names(ann, 'Dinner')).toEqual([]);
    });

    test('an entry is changed, moved and deleted, and each is taken back', async () => {
      await openEntry('Snacks', 'Crackers');
      await bob.getByRole('textbox', { name: 'Amount' }).fill('60');
      await button('Save').click();
      await entries(ann, 'Snacks').getByText('258 kcal').waitFor();
      await button('Undo').click();
      await entries(ann, 'Snacks').getByText('129 kcal').waitFor();
      await openEntry('Snacks', 'Cake');
      await bob.getByRole('combobox', { name: 'Meal' }).selectOption('Dinner');
      await button('Save').click();
      await expect.poll(() => names(ann, 'Dinner')).toEqual(['Cake']);
      await openEntry('Dinner', 'Cake');
      await button('Delete').click();
      await expect.poll(() => names(ann, 'Dinner')).toEqual([]);
      await button('Undo').click();
      await expect.poll(() => names(ann, 'Dinner')).toEqual(['Cake']);
    });

    test('what the owner has changed meanwhile is shown before it is replaced', async () => {
      const date = await ann.evaluate<string>(TODAY);
      const all = (await askAs(ann, 'GET', `/v1/users/${annId}/diary?date=${date}`)) as {
        id: string;
        foodName: string;
      }[];
      const { id } = all.find(({ foodName }) => foodName === 'Crackers')!;
      await openEntry('Snacks', 'Crackers');
      await bob.getByRole('textbox', { name: 'Amount' }).fill('90');
      await askAs(ann, 'PATCH', `/v1/users/${annId}/diary/${id}`, { quantity: 45, note: 'with salt' });
      await button('Save').click();
      await bob.getByText('Somebody else changed this meanwhile.').waitFor();
      await entries(bob, 'Snacks').getByText('45 g').waitFor();
      await expect.poll(() => bob.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('90');
      await button('Save').click();
      await entries(ann, 'Snacks').getByText('90 g').waitFor();
      await entries(ann, 'Snacks').getByText('with salt').waitFor();
    });

    test('without the service the form stays, and is sent once the service is back', async () => {
      await button('Add to dinner').click();
      await button('Quick add').click();
      await bob.getByLabel('What was it?').fill('Tea');
      await bob.getByRole('textbox', { name: 'Energy' }).fill('2');
      await bob.context().setOffline(true);
      await button('Add').click();
      await bob.getByRole('dialog').getByText('can only be read and changed online').waitFor();
      await bob.context().setOffline(false);
      await button('Add').click();
      await expect.poll(() => names(ann, 'Dinner')).toEqual(['Cake', 'Tea']);
    });

    test('an own diary stays the own one', async () => {
      await button('Copy Cake').click();
      await bob.getByText('Cake added').waitFor();
      await bob.getByLabel('Whose diary').selectOption({ label: 'Bob' });
      await bob.getByRole('heading', { name: 'Today' }).waitFor();
      await expect.poll(() => names(bob, 'Dinner')).toEqual(['Cake']);
      for (const meal of ['Breakfast', 'Lunch', 'Snacks'])
        await expect.poll(() => names(bob, meal)).toEqual([]);
      await expect.poll(() => bob.getByRole('button', { name: 'Go on' }).count()).toBe(0);
      await bob.getByLabel('Whose diary').selectOption({ label: 'Ann' });
      await expect.poll(() => names(bob, 'Dinner')).toEqual(['Cake', 'Tea']);
    });

    test('once the right is taken back a write is refused, and what was typed stays', async () => {
      await openEntry('Dinner', 'Tea');
      await bob.getByLabel('Note').fill('with milk');
      await share('read');
      const probe = () => askAs(bob, 'PATCH', `/v1/users/${annId}/diary/none`, { note: 'x' });
      // A change counts within a second.
      await expect.poll(probe).toMatchObject({ error: { code: 'forbidden' } });
      await button('Save').click();
      await bob.getByText('Ann does not let you write in this diary').waitFor();
      await expect.poll(() => bob.getByLabel('Note').inputValue()).toBe('with milk');
      await button('Add to breakfast').click();
      await button('Quick add').click();
      const quick = bob.getByRole('form', { name: 'Quick add' });
      await quick.getByLabel('What was it?').fill('Roll');
      await quick.getByRole('textbox', { name: 'Energy' }).fill('210');
      await button('Add').click();
      await bob.getByRole('dialog').getByText('Ann does not let you write in this diary').waitFor();
      await expect.poll(() => quick.getByLabel('What was it?').inputValue()).toBe('Roll');
      await button('Close').click();
      await button('Go on').click();
      await expect.poll(() => quick.getByLabel('What was it?').inputValue()).toBe('Roll');
      await bob.reload();
      await bob.getByLabel('Whose diary').selectOption({ label: 'Ann' });
      await expect.poll(() => names(bob, 'Dinner')).toEqual(['Cake', 'Tea']);
      await expect.poll(() => button(/^Add to/).count()).toBe(0);
      await expect.poll(() => names(ann, 'Breakfast')).toEqual(['Banana']);
      const date = await bob.evaluate<string>(TODAY);
      const own = (await askAs(bob, 'GET', `/v1/users/${bobId}/diary?date=${date}`)) as object[];
      expect(own.length).toBe(1);
    });
  },
);
