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

  test('nothing is asked again', async () => {
    await open.page.reload();
    await open.meal('Breakfast').waitFor();
    await expect
      .poll(() => open.page.evaluate(`localStorage['larder-kept/${userId}/settings']`))
      .toContain('firstRunDone');
    expect(await offer().count()).toBe(0);
  });

  test('goals stay as shares of the energy', async () => {
    await open.page.getByRole('link', { name: 'Settings' }).click();
    const goals = open.page.getByRole('form', { name: 'Goals' });
    await expect.poll(() => goals.getByLabel('Protein').first().inputValue()).toBe('20');
    await goals.getByLabel('Energy').first().fill('2000');
    await goals.getByText('Protein 100 g · Carbs 250 g · Fat 66.7 g').waitFor();
  });

  test('nothing failed on the way, and no other host was asked', () => {
    expect(open.faults).toEqual([]);
  });
});
