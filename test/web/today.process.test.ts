import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { askAs, type OpenPage, openPage } from './support/open-page.ts';

describe.skipIf(noBrowser !== undefined).each(SIZES)('a day, on %s', (_, viewport) => {
  let open: OpenPage;
  let userId: string;
  let date: string;
  const dayName = () => open.page.getByRole('heading', { level: 1 }).textContent();

  beforeAll(async () => {
    open = await openPage({ context: { viewport, hasTouch: true, timezoneId: 'Europe/Berlin' } });
    const { page } = open;
    const session = (await askAs(page, 'GET', '/v1/session')) as { person: { id: string } };
    userId = session.person.id;
    date = await page.evaluate<string>(`new Date(Date.now() + 36e5).toISOString().slice(0, 10)`);
    const entries = ['Soup', 'Bread', 'Pear'].map((foodName) => ({
      ...{ date, mealType: 'lunch', foodName, calories: 100, quantity: 1, unit: 'serving' },
    }));
    await askAs(page, 'POST', `/v1/users/${userId}/diary/batch`, entries as object);
    await open.entries('Lunch').nth(2).waitFor();
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  const shiftedBy = (days: number) => new Date(Date.parse(date) + days * 864e5).toISOString().slice(0, 10);
  const openEntry = (name: string) =>
    open
      .entries('Lunch')
      .filter({ hasText: name })
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click();

  test('an empty meal offers that of the day before, where there was one', async () => {
    const { page, button, meal } = open;
    const copy = (name: string) => meal(name).getByRole('button', { name: 'Copy from yesterday' });
    await button('Next day').click();
    await copy('Lunch').waitFor();
    await copy('Breakfast').waitFor({ state: 'detached' });
    await button('Previous day').click();
    await expect.poll(dayName).toBe('Today');
    await page.getByRole('heading', { level: 1 }).click();
  });

  test('changes amount, time and note of an entry, and takes that back', async () => {
    const { page, button, entries } = open;
    await openEntry('Soup');
    await page.getByRole('textbox', { name: 'Amount' }).fill('2');
    await page.getByLabel('Eaten at').fill('12:30');
    await page.getByLabel('Note').fill('too salty');
    await button('Save').click();
    const soup = entries('Lunch').filter({ hasText: 'Soup' });
    await expect.poll(() => soup.textContent()).toMatch(/^Soup2 servings12:30 PM · too salty200 kcal/);
    await button('Undo').click();
    await expect.poll(() => soup.textContent()).toMatch(/^Soup1 serving100 kcal/);
  });

  test('changes the values of an entry without a food, and what is unknown stays so', async () => {
    const { page, button, entries } = open;
    const number = (name: string) => page.getByRole('textbox', { name });
    await button('Add to dinner').click();
    await button('Quick add').click();
    await page.getByLabel('What was it?').fill('Canteen');
    await number('Energy').fill('640');
    await number('Carbs').fill('70');
    await button('Add').click();
    const entry = entries('Dinner').filter({ hasText: 'Can' });
    const canteen = async () => {
      const all = await askAs(page, 'GET', `/v1/users/${userId}/diary?date=${date}`);
      return (all as { foodName: string }[]).find(({ foodName }) => foodName === 'Cantina');
    };
    const openForm = () => entry.getByRole('button').first().click();
    const form = async () => [
      await page.getByLabel('What was it?').inputValue(),
      ...(await Promise.all(['Energy', 'Protein', 'Carbs', 'Fat'].map((name) => number(name).inputValue()))),
    ];
    await openForm();
    await expect.poll(() => form()).toEqual(['Canteen', '640', '', '70', '']);
    await page.getByLabel('What was it?').fill('Cantina');
    await number('Energy').fill('600');
    await number('Protein').fill('25');
    await number('Carbs').fill('');
    await button('Save').click();
    await expect.poll(() => entry.textContent()).toMatch(/^Cantina600 kcal/);
    await openForm();
    await expect.poll(() => form()).toEqual(['Cantina', '600', '25', '', '']);
    await number('Protein').fill('');
    await number('Fat').fill('9');
    await button('Save').click();
    await button('Undo').click();
    await expect.poll(canteen).toMatchObject({ calories: 600, protein: 25, unknown: ['carbs', 'fat'] });
    await openForm();
    await button('Delete').click();
    await expect.poll(() => entries('Dinner').count()).toBe(0);
  });

  test('values follow another amount, except one that was typed', async () => {
    const { page, button, entries } = open;
    const number = (name: string) => page.getByRole('textbox', { name });
    const bread = entries('Lunch').filter({ hasText: 'Bread' });
    await openEntry('Bread');
    await number('Fat').fill('3');
    await number('Amount').fill('2');
    expect([await number('Energy').inputValue(), await number('Fat').inputValue()]).toEqual(['200', '3']);
    await button('Save').click();
    await expect.poll(() => bread.textContent()).toMatch(/^Bread2 servings200 kcal/);
    await button('Undo').click();
    await expect.poll(() => bread.textContent()).toMatch(/^Bread1 serving100 kcal/);
  });

  test('moves an entry to another meal, and takes that back', async () => {
    const { page, button, entries } = open;
    await openEntry('Pear');
    await page.getByRole('combobox', { name: 'Meal' }).selectOption('Snacks');
    await button('Save').click();
    await expect.poll(() => entries('Snacks').count()).toBe(1);
    await button('Undo').click();
    await expect.poll(() => entries('Lunch').count()).toBe(3);
  });

  test('moves, copies and deletes several entries at once, and takes that back', async () => {
    const { page, button, entries } = open;
    const tick = async (...names: string[]) => {
      await button('More for Lunch').click();
      await button('Select foods').click();
      for (const name of names) await page.getByRole('checkbox', { name: new RegExp(`^${name}`) }).check();
    };
    const place = async (how: string) => {
      await button('Move or copy').click();
      await page.getByRole('dialog').getByRole('combobox', { name: 'Meal' }).selectOption('Dinner');
      await button(how).click();
    };
    await tick('Soup', 'Bread');
    await place('Move');
    await expect.poll(() => entries('Dinner').count()).toBe(2);
    await button('Undo').click();
    await expect.poll(() => entries('Lunch').count()).toBe(3);
    await tick('Soup', 'Pear');
    await place('Copy');
    await expect.poll(() => entries('Dinner').count()).toBe(2);
    await expect.poll(() => entries('Lunch').count()).toBe(3);
    await button('Undo').click();
    await expect.poll(() => entries('Dinner').count()).toBe(0);
    await tick('Soup', 'Bread', 'Pear');
    await button('Delete').click();
    await expect.poll(() => entries('Lunch').count()).toBe(0);
    await button('Undo').click();
    await expect.poll(() => entries('Lunch').count()).toBe(3);
  });

  test('copies a meal to another day', async () => {
    const { page, button, entries } = open;
    await button('More for Lunch').click();
    await button('Move or copy this meal').click();
    const tomorrow = await page.evaluate<string>(
      `new Date(Date.now() + 25 * 36e5).toISOString().slice(0, 10)`,
    );
    await page.getByRole('dialog').getByLabel('Day').fill(tomorrow);
    await button('Copy').click();
    await button('Next day').click();
    await expect.poll(() => entries('Lunch').count()).toBe(3);
    await button('Back to today').click();
  });

  test('the day is in the address: reload, Back and a link lead to it', async () => {
    const { page, button } = open;
    await button('Previous day').click();
    await expect.poll(() => new URL(page.url()).searchParams.get('day')).toBe(shiftedBy(-1));
    await page.reload();
    await expect.poll(dayName).toBe('Yesterday');
    await button('Previous day').click();
    await expect.poll(() => new URL(page.url()).searchParams.get('day')).toBe(shiftedBy(-2));
    await page.goBack();
    await expect.poll(dayName).toBe('Yesterday');
    await button('Back to today').click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    const url = new URL('?day=2026-01-31', page.url());
    await page.goto(url.href);
    await expect.poll(dayName).toMatch(/Jan 31/);
    await button('Back to today').click();
    await expect.poll(dayName).toBe('Today');
  });

  test('the header of the day is one line, which names the date once', async () => {
    const { page, button } = open;
    const high = () => page.locator('.day-bar').evaluate((bar: { clientHeight: number }) => bar.clientHeight);
    expect(await high()).toBeLessThanOrEqual(68);
    for (let ago = 0; ago < 3; ago++) await button('Previous day').click();
    const named = await page.locator('.day-bar').textContent();
    expect(named!.match(/\d+/g)).toHaveLength(1);
    await button('Back to today').click();
  });

  test('every goal is on the day: what was eaten first, and what is over is marked', async () => {
    const { page } = open;
    await askAs(page, 'PUT', `/v1/users/${userId}/goals`, {
      calories: 200,
      protein: 50,
      nutrients: { iron: 8 },
    });
    await page.reload();
    const energy = page.getByRole('status', { name: 'Energy' });
    await expect.poll(() => energy.textContent()).toMatch(/^[\d,]+ \/ 200 kcal [\d,]+ kcal over$/);
    await expect.poll(() => page.locator('.bar.energy .beyond').count()).toBe(1);
    await expect.poll(() => page.locator('.bar.energy .mark').count()).toBe(1);
    const iron = page.locator('.further-goals .macro.iron');
    await expect.poll(() => iron.textContent()).toMatch(/^Iron.*\/ 8 mg/);
  });

  test('another day is reached by keys, by swiping and by the calendar', async () => {
    const { page } = open;
    await page.keyboard.press('ArrowLeft');
    await expect.poll(dayName).toBe('Yesterday');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(dayName).toBe('Tomorrow');
    await page.keyboard.press('t');
    await expect.poll(dayName).toBe('Today');
    await swipe(120);
    await expect.poll(dayName).toBe('Yesterday');
    await swipe(-120);
    await expect.poll(dayName).toBe('Today');
    await page.getByLabel('Choose a day').fill('2026-01-31');
    await expect.poll(dayName).toMatch(/Jan 31/);
    await page.keyboard.press('Tab');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('t');
    await expect.poll(dayName).toBe('Today');
  });

  test('a move to another day is said, keeps the time of day, and the key for undoing takes it back', async () => {
    const { page, button, entries } = open;
    const eatenAt = async (day: string) => {
      const all = await askAs(page, 'GET', `/v1/users/${userId}/diary?date=${day}`);
      return (all as { foodName: string; eatenAt?: string }[]).find(({ foodName }) => foodName === 'Pear')
        ?.eatenAt;
    };
    await openEntry('Pear');
    await page.getByLabel('Eaten at').fill('09:15');
    await button('Save').click();
    await entries('Lunch').getByText(/9:15/).first().waitFor();
    await expect.poll(async () => (await eatenAt(date))?.slice(11, 16)).toBe('09:15');
    await openEntry('Pear');
    await button('Move or copy').click();
    const field = page.getByRole('dialog').getByLabel('Day');
    await field.fill('9999-12-31');
    await button('Copy').click();
    expect(await page.evaluate<boolean>(`document.querySelector('dialog :invalid') !== null`)).toBe(true);
    await field.fill('2026-07-01');
    await button('Move').click();
    await page.getByText('Pear moved to Wed, Jul 1, 2026').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(() => eatenAt('2026-07-01')).toBe('2026-07-01T09:15:00+02:00');
    await page.keyboard.press('Control+z');
    await expect.poll(() => entries('Lunch').count()).toBe(3);
    await expect.poll(async () => (await eatenAt(date))?.slice(0, 16)).toBe(`${date}T09:15`);
  });

  test('a long word leaves "Undo" and the buttons of its meal in sight', async () => {
    const { page, button, entries, meal } = open;
    await page.setViewportSize({ width: 320, height: 700 });
    const word = 'W'.repeat(180);
    await askAs(page, 'POST', `/v1/users/${userId}/diary/batch`, [
      { date, mealType: 'dinner', foodName: word, calories: 100 },
    ]);
    await button('More for Dinner').click();
    const name = 'Donaudampfschifffahrtsgesellschaftsessen';
    await button('Rename this meal').click();
    await page.getByLabel('Own name').fill(name);
    await button('Save').click();
    const endOf = async (name: string) => {
      const { x, width } = (await button(name).boundingBox())!;
      return x + width;
    };
    await entries(name).getByRole('button', { name: word }).click();
    for (const each of [`More for ${name}`, `Add to ${name}`]) expect(await endOf(each)).toBeLessThan(320);
    await button('Delete').click();
    await button('Undo').waitFor();
    expect(await endOf('Undo')).toBeLessThan(320);
    await button(`More for ${name}`).click();
    await button('Rename this meal').click();
    await page.getByLabel('Own name').fill('');
    await button('Save').click();
    await meal('Dinner').waitFor();
    await page.setViewportSize(viewport);
  });

  test('a day far outside of the calendar is not shown', async () => {
    const { page, button } = open;
    const day = page.getByLabel('Choose a day');
    await day.fill('9999-12-31');
    await day.blur();
    await expect.poll(() => day.inputValue()).toBe(date);
    await expect.poll(dayName).toBe('Today');
    await day.fill('2199-12-31');
    await expect.poll(() => button('Next day').isDisabled()).toBe(true);
    await button('Back to today').click();
    await expect.poll(dayName).toBe('Today');
  });

  test('a meal has a name of its own', async () => {
    const { page, button, meal } = open;
    await button('More for Snacks').click();
    await button('Rename this meal').click();
    await page.getByLabel('Own name').fill('Second breakfast');
    await button('Save').click();
    await meal('Second breakfast').getByRole('button', { name: 'Add to Second breakfast' }).waitFor();
    await button('More for Second breakfast').click();
    await button('Rename this meal').click();
    await page.getByLabel('Own name').fill('');
    await button('Save').click();
    await meal('Snacks').waitFor();
  });

  test('a note whose form was left is open again, with what was typed', async () => {
    const { page, button, entries } = open;
    await openEntry('Bread');
    await page.getByLabel('Note').fill('from the ba');
    await page.reload();
    await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('from the ba');
    await page.getByLabel('Note').fill('from the bakery');
    await button('Save').click();
    await expect.poll(() => entries('Lunch').filter({ hasText: 'from the bakery' }).count()).toBe(1);
  });

  test('nothing failed on the way, and no other host was asked', () => {
    expect(open.faults).toEqual([]);
  });

  /** A finger that moves over the page by so many pixels. */
  async function swipe(px: number): Promise<void> {
    await open.page.evaluate(`(() => {
      const target = document.querySelector('.sums');
      const touch = (clientX) => new Touch({ identifier: 1, target, clientX, clientY: 300 });
      target.dispatchEvent(new TouchEvent('touchstart', { bubbles: true, touches: [touch(200)], changedTouches: [touch(200)] }));
      target.dispatchEvent(new TouchEvent('touchend', { bubbles: true, changedTouches: [touch(${200 + px})] }));
    })()`);
  }
});
