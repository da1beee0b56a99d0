import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { askAs, type OpenPage, openPage } from './support/open-page.ts';

describe.skipIf(noBrowser !== undefined).each(SIZES)('trends, on %s', (_, viewport) => {
  let open: OpenPage;
  beforeAll(async () => {
    open = await openPage({ context: { viewport } });
    const userId = await open.page.evaluate<string>(`JSON.parse(localStorage.getItem('larder-session')).id`);
    const date = await open.page.evaluate<string>(`new Date().toLocaleDateString('sv-SE')`);
    const entry = (foodName: string, calories: number, rest: object) => ({
      ...{ date, mealType: 'lunch', foodName, calories },
      ...rest,
    });
    await askAs(open.page, 'POST', `/v1/users/${userId}/diary/batch`, [
      entry('Rice', 400, { protein: 8, fiber: 2 }),
      entry('Stew', 600, {}),
      entry('Water', 0, { protein: 0, fiber: 0 }),
    ]);
    await askAs(open.page, 'PUT', `/v1/users/${userId}/goals`, { calories: 2000, from: '2020-01-01' });
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  const measure = (value: string) => open.page.getByLabel('What to show').selectOption(value);
  const trend = (name: string) => open.page.getByRole('region', { name, exact: true });

  test('energy is averaged over the days with entries, beside the goal', async () => {
    await open.page.getByRole('link', { name: 'Trends' }).click();
    await trend('Energy').getByText('1 day with entries').waitFor();
    await expect.poll(() => trend('Energy').textContent()).toMatch(/^1,000 kcal on average.*goal 2,000 kcal/);
    await expect.poll(() => trend('Energy').getByRole('img').locator('rect.fill[x]').count()).toBe(1);
  });

  test('what some foods do not state is at least that much', async () => {
    await trend('Protein').getByText('At least this: 2 of 3 foods state it.').waitFor();
    await expect.poll(() => trend('Protein').textContent()).toMatch(/^at least 8 g/);
  });

  test('what no food states is not drawn', async () => {
    await measure('iron');
    await open.page.getByText('Iron: no food of these days states it.').waitFor();
    await expect.poll(() => trend('Iron').count()).toBe(0);
  });

  test('months and years are shown, also as a table', async () => {
    for (const range of ['Month', 'Year']) {
      await open.button(range).click();
      await trend('Energy').getByText('Show as a table').click();
      await trend('Energy').getByRole('cell', { name: '1,000 kcal' }).waitFor();
    }
    await open.button('Earlier').click();
    await open.page.getByText('Nothing was logged in these days.').waitFor();
    await open.button('Later').click();
  });

  test('a weight is entered, drawn, and taken back', async () => {
    await open.page.getByRole('textbox', { name: 'Weight' }).fill('72.4');
    await open.button('Save').click();
    await trend('Weight').getByRole('img', { name: 'Weight: 72.4 kg' }).waitFor();
    await open.button('Undo').click();
    await open.page.getByText('No weight in these days.').waitFor();
  });

  test('the trend of the weight follows what was measured, slowly', async () => {
    const { page } = open;
    const day = (days: number) => new Date(Date.now() - days * 864e5).toISOString();
    const session = (await askAs(page, 'GET', '/v1/session')) as { person: { id: string } };
    for (const [days, value] of [
      [1, 80],
      [0, 82],
    ] as const) {
      const weight = { name: 'weight', value, unit: 'kg', measuredAt: day(days) };
      await askAs(page, 'POST', `/v1/users/${session.person.id}/measurements`, weight);
    }
    await page.reload();
    await open.button('Month').click();
    const weight = trend('Weight');
    await weight.getByText('80.2 kg', { exact: true }).waitFor();
    await weight.getByText(/^82 kg on /).waitFor();
  });

  test('a target weight is typed, drawn and kept, and an empty field removes it', async () => {
    const { page, button } = open;
    const target = () => page.getByRole('form', { name: 'Target weight' });
    const field = () => target().getByRole('textbox', { name: /^Target weight/ });
    const kept = async () => {
      const { person } = (await askAs(page, 'GET', '/v1/session')) as { person: { id: string } };
      const settings = await askAs(page, 'GET', `/v1/users/${person.id}/settings`);
      return (settings as { weightTarget?: object }).weightTarget;
    };
    await page.locator('summary', { hasText: 'Target weight' }).click();
    await field().fill('70,5');
    await target().getByRole('button', { name: 'Save' }).click();
    await expect.poll(kept).toEqual({ value: 70.5, unit: 'kg' });
    await page.reload();
    await page.locator('summary', { hasText: 'Target weight' }).click();
    await expect.poll(() => field().inputValue()).toBe('70.5');
    await field().fill('');
    await target().getByRole('button', { name: 'Save' }).click();
    await expect.poll(kept).toBeUndefined();
    expect(await button('Save').count()).toBeGreaterThan(0);
  });

  test('nothing failed on the way, and no other host was asked', () => {
    expect(open.faults).toEqual([]);
  });
});
