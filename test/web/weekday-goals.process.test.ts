import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { askAs, type OpenPage, openPage } from './support/open-page.ts';

describe.skipIf(noBrowser !== undefined).each(SIZES)('goals by weekday, on %s', (_, viewport) => {
  let open: OpenPage;
  let goals: string;
  /** The weekday of today, as in `Friday` and `Fri`. */
  let [long, short] = ['', ''];
  beforeAll(async () => {
    open = await openPage({ context: { viewport } });
    const userId = await open.page.evaluate<string>(`JSON.parse(localStorage.getItem('larder-session')).id`);
    goals = `/v1/users/${userId}/goals`;
    await askAs(open.page, 'PUT', goals, { from: '2020-01-01', calories: 2000, protein: 90 });
    const date = await open.page.evaluate<string>(`new Date().toLocaleDateString('sv-SE')`);
    const rice = { date, mealType: 'lunch', foodName: 'Rice', calories: 400 };
    await askAs(open.page, 'POST', `/v1/users/${userId}/diary`, rice);
    const weekday = (form: 'long' | 'short') =>
      new Date(date).toLocaleDateString('en-US', { weekday: form, timeZone: 'UTC' });
    [long, short] = [weekday('long'), weekday('short')];
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  const link = (name: string) => open.page.getByRole('link', { name, exact: true });
  const form = () => open.page.getByRole('form', { name: 'Goals' });
  const group = () => form().getByRole('group', { name: /goals on/i });
  const day = (name: string) => group().getByRole('button', { name, exact: true });
  const energy = () => open.page.getByRole('status', { name: 'Energy' }).textContent();

  test('days are chosen, and what they do not name stays', async () => {
    await link('Settings').click();
    await open.button('Other goals on some days').click();
    await group().getByText('Goals on Sun and Sat').waitFor();
    for (const name of ['Sat', 'Sun']) await day(name).click();
    await group().getByRole('alert').getByText('Choose at least one day.').waitFor();
    await day(short).click();
    await group().getByText(`Goals on ${short}`, { exact: true }).waitFor();
    await expect.poll(() => group().getByRole('alert').count()).toBe(0);
    const field = group().getByRole('textbox', { name: 'Energy', exact: true });
    await expect.poll(() => field.getAttribute('placeholder')).toBe('2000');
    await field.fill('2600');
    await open.page.setViewportSize({ width: 320, height: 700 });
    await expect.poll(() => open.page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await open.page.setViewportSize(viewport);
    await open.button('Save').click();
    await form().getByText('Earlier goals').click();
    await expect
      .poll(async () => (await form().getByRole('row').allTextContents()).slice(1))
      .toEqual([expect.stringMatching(/2,00090––$/), `${short}2,60090––`, 'Jan 1, 20202,00090––']);
    expect(await askAs(open.page, 'GET', goals)).toMatchObject({
      calories: 2000,
      protein: 90,
      weekdays: { [long.toLowerCase()]: { calories: 2600 } },
    });
  });

  test('the day has its goals, the day after those of every day', async () => {
    await link('Today').click();
    await expect.poll(energy).toBe('400 / 2,600 kcal 2,200 kcal left');
    await open.button('Next day').click();
    await expect.poll(energy).toBe('0 / 2,000 kcal 2,000 kcal left');
    await open.button('Previous day').click();
  });

  test('trends draw the goal of each day', async () => {
    await link('Trends').click();
    const trend = open.page.getByRole('region', { name: 'Energy', exact: true });
    await trend.getByText('goal 2,000–2,600 kcal').waitFor();
    const heights = await trend
      .locator('line.goal')
      .evaluateAll((lines) => lines.map((line) => line.getAttribute('y1')));
    expect([heights.length, new Set(heights).size]).toEqual([7, 2]);
    await trend.getByText('Show as a table').click();
    await trend
      .getByRole('row', { name: `${short}, ` })
      .getByText('2,600 kcal')
      .waitFor();
  });

  test('they are there again, and can be removed', async () => {
    await link('Settings').click();
    await group().getByText(`Goals on ${short}`, { exact: true }).waitFor();
    await expect.poll(() => day(short).getAttribute('aria-pressed')).toBe('true');
    await group().getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => group().count()).toBe(0);
    await open.button('Save').click();
    await expect.poll(() => askAs(open.page, 'GET', goals)).not.toHaveProperty('weekdays');
    await link('Today').click();
    await expect.poll(energy).toBe('400 / 2,000 kcal 1,600 kcal left');
    expect(open.faults).toEqual([]);
  });
});
