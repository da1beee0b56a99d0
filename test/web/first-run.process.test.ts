import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { askAs, type OpenPage, openPage } from './support/open-page.ts';

describe.skipIf(noBrowser !== undefined).each(SIZES)('the first start, on %s', (_, viewport) => {
  let open: OpenPage;
  let userId: string;

  beforeAll(async () => {
    open = await openPage({ context: { viewport } });
    const session = (await askAs(open.page, 'GET', '/v1/session')) as { person: { id: string } };
    userId = session.person.id;
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  const offer = () => open.page.getByRole('region', { name: 'Three questions' });
  const sheet = () => open.page.getByRole('dialog', { name: 'Three questions' });
  const settings = () => askAs(open.page, 'GET', `/v1/users/${userId}/settings`);

  test('three questions are offered: language and units, goals by a formula that is shown, and who sees the diary', async () => {
    await offer().getByRole('button', { name: 'Begin' }).click();
    await sheet().getByLabel('Energy in').selectOption('kJ');
    await sheet().getByLabel('Energy in').selectOption('kcal');
    await sheet().getByRole('button', { name: 'Next' }).click();
    await sheet().getByText('Calculate a proposal').click();
    await sheet().getByLabel('Sex, as the formula knows it').selectOption('male');
    const year = new Date().getFullYear();
    await sheet()
      .getByLabel('Year of birth')
      .fill(String(year - 40));
    await sheet().getByLabel('Height').fill('180');
    await sheet()
      .getByLabel(/^Weight/)
      .fill('80');
    await sheet().getByLabel('On most days').selectOption('moderate');
    const formula = '10 × 80 kg + 6.25 × 180 cm − 5 × 40 + 5 = 1,730 kcal at rest';
    await sheet().getByText(formula).waitFor();
    await sheet().getByRole('button', { name: 'Take over 2,680 kcal' }).click();
    expect(
      await sheet()
        .getByLabel(/^Energy/)
        .inputValue(),
    ).toBe('2680');
    await sheet()
      .getByText('Protein 134 g · Carbs 335 g · Fat 89.3 g · together 100 % of the energy')
      .waitFor();
    await sheet().getByRole('button', { name: 'Next' }).click();
    await sheet().getByRole('heading', { name: 'Who sees my diary?' }).waitFor();
    await sheet().getByRole('combobox').selectOption('none');
    await sheet().getByRole('button', { name: 'Done' }).click();
    await sheet().waitFor({ state: 'hidden' });
    expect(await settings()).toMatchObject({
      ...{ firstRunDone: true, language: 'en', measures: 'metric', energyUnit: 'kcal' },
      goalsInPercent: { protein: 20, carbs: 50, fat: 30 },
      body: { sex: 'male', birthYear: year - 40, heightCm: 180, activity: 'moderate' },
    });
    expect(await askAs(open.page, 'GET', '/v1/people/me/sharing')).toMatchObject({ default: 'none' });
    await open.page.getByText('/ 2,680 kcal').first().waitFor();
  });

  const goalsOf = (page: Page) => page.getByRole('form', { name: 'Goals' });
  const protein = (page: Page) => goalsOf(page).getByLabel('Protein').first().inputValue();

  test('goals stay as shares of the energy, and nothing is asked again', async () => {
    const { page, meal } = open;
    await page.reload();
    // The form knows its shares once the device is in step, and by then the questions would be offered.
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect.poll(() => protein(page)).toBe('20');
    await goalsOf(page).getByLabel('Energy').first().fill('2000');
    await goalsOf(page).getByText('Protein 100 g · Carbs 250 g · Fat 66.7 g').waitFor();
    await page.getByRole('link', { name: 'Today' }).click();
    await meal('Breakfast').waitFor();
    expect(await offer().count()).toBe(0);
  });

  test('another device takes over what was chosen, and does not ask', async () => {
    await askAs(open.page, 'PATCH', `/v1/users/${userId}/settings`, { language: 'de', waterGoalMl: 1500 });
    const context = await open.browser.newContext({ viewport, locale: 'en-US' });
    const other = await context.newPage();
    await other.goto(open.service.url);
    await other.getByRole('textbox', { name: 'Name' }).fill('Ann');
    await other.getByLabel('Password').fill('eggs and toast');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('link', { name: 'Einstellungen' }).click();
    const goals = other.getByRole('form', { name: 'Ziele' });
    await expect.poll(() => goals.getByLabel('Eiweiß').first().inputValue()).toBe('20');
    await other.getByRole('link', { name: 'Heute' }).click();
    await other.getByRole('region', { name: 'Frühstück', exact: true }).waitFor();
    expect(await other.getByRole('region', { name: 'Drei Fragen' }).count()).toBe(0);
    await context.close();
    await askAs(open.page, 'PATCH', `/v1/users/${userId}/settings`, { language: 'en' });
  });

  test('nothing failed on the way, and no other host was asked', () => {
    expect(open.faults).toEqual([]);
  });
});
