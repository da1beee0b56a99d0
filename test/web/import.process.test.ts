import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { type OpenPage, openPage } from './support/open-page.ts';

const SAMPLES = join(import.meta.dirname, '../support/diary-exports');
const sample = (name: string) => readFileSync(join(SAMPLES, `${name}.csv`));

/** Exports of apps, with what the first row of the preview says and what Today shows of a day. */
const APPS = [
  {
    app: 'MyFitnessPal',
    file: 'myfitnesspal',
    added: '5 entries',
    first: '2025-03-01BreakfastBreakfast413 kcal',
    day: '2025-03-02',
    entries: { Snacks: [/^Snacks90 kcal$/, /^Snacks90 kcal$/] },
  },
  {
    app: 'Cronometer',
    file: 'cronometer',
    added: '4 entries',
    first: '2025-03-01BreakfastOats, Rolled, Dry227 kcal',
    day: '2025-03-01',
    entries: { Dinner: [/^House Stew1½ full recipe810 kcal$/] },
  },
  {
    app: 'FatSecret',
    file: 'fatsecret',
    added: '6 entries',
    first: '2025-03-01BreakfastMultigrain Bread196 kcal',
    day: '2025-03-02',
    entries: { Snacks: [/^Second Lunch500 kcal$/] },
  },
] as const;

/** Files that are no diary, and what a person is told. */
const WRONG = [
  ['an archive', 'export.zip', Buffer.from('PK\u0003\u0004rest'), 'This is an archive.'],
  ['a picture', 'photo.csv', Buffer.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0), 'This file cannot be imported.'],
  ['another table', 'bank.csv', Buffer.from('Account,Balance\n1,20\n'), 'This file cannot be imported.'],
  ['an empty file', 'empty.csv', Buffer.alloc(0), 'This file cannot be imported.'],
  [
    'a table whose dates may be meant otherwise',
    'dates.csv',
    Buffer.from('Date,Food,kcal\n01/02/2026,Soup,200\n'),
    'Day and month of this file can be meant either way.',
  ],
] as const;

describe.skipIf(noBrowser !== undefined).each(SIZES)('moving from other apps, on %s', (_, viewport) => {
  let open: OpenPage;
  beforeAll(async () => {
    open = await openPage({ context: { viewport, timezoneId: 'Europe/Berlin' } });
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  const card = () => open.page.getByRole('region', { name: 'Import', exact: true });
  const preview = () => card().getByRole('region', { name: 'Preview' });
  const choose = (name: string, buffer: Buffer) =>
    card().getByLabel('File', { exact: true }).setInputFiles({ name, mimeType: 'text/csv', buffer });
  const openSettings = () => open.page.getByRole('link', { name: 'Settings' }).click();

  describe.each(APPS)('$app', ({ app, file, added, first, day, entries }) => {
    test('is shown first, then written, and its entries are in the diary', async () => {
      await openSettings();
      await choose(`${file}.csv`, sample(file));
      await preview().getByText(`Read as ${app}`).waitFor();
      await preview().getByText(`${added} would be added`).waitFor();
      await expect.poll(() => preview().getByRole('row').nth(1).textContent()).toBe(first);
      await preview().getByRole('button', { name: 'Import' }).click();
      const report = card().getByRole('region', { name: 'Report' });
      await report.getByText(`${added} added`).waitFor();
      await report.getByRole('button', { name: 'Show the last day' }).click();
      await open.page.getByLabel('Choose a day').fill(day);
      for (const [meal, wanted] of Object.entries(entries))
        for (const text of wanted)
          await expect
            .poll(() => open.entries(meal).locator('.entry-line').allTextContents())
            .toContainEqual(expect.stringMatching(text));
    });

    test('is not written twice', async () => {
      await openSettings();
      await choose(`${file}.csv`, sample(file));
      await preview().getByText('All of it is there already.').waitFor();
      await expect.poll(() => preview().getByRole('button', { name: 'Import' }).count()).toBe(0);
    });
  });

  test('nothing failed on the way, and no other host was asked', () => {
    expect(open.faults).toEqual([]);
  });
});

describe.skipIf(noBrowser !== undefined)('a file that is no diary', () => {
  let open: OpenPage;
  beforeAll(async () => {
    open = await openPage({ context: { viewport: SIZES[0][1] } });
    await open.page.getByRole('link', { name: 'Settings' }).click();
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  const card = () => open.page.getByRole('region', { name: 'Import', exact: true });

  test.each(WRONG)('%s is said to be none in words that help', async (_, name, bytes, text) => {
    const file = { name, mimeType: 'text/csv', buffer: bytes };
    await card().getByLabel('File', { exact: true }).setInputFiles(file);
    await card().getByRole('alert').getByText(text).waitFor();
  });

  test('the order of dates is asked for, and the file is read by it', async () => {
    await card().getByLabel('Dates are written').selectOption('day-first');
    const preview = card().getByRole('region', { name: 'Preview' });
    await preview.getByText('1 entry would be added').waitFor();
    await expect.poll(() => preview.getByRole('row').nth(1).textContent()).toContain('2026-02-01');
  });
});
