import type { PageView } from '../visit.ts';

const SECTIONS = ['foods', 'imports', 'scans', 'keys', 'webhooks', 'people', 'backup'] as const;

/** The console, and its dialogs. */
export const CONSOLE_VIEWS: readonly PageView[] = [
  { name: 'console', path: '/console' },
  ...SECTIONS.map((section) => ({ name: `console-${section}`, path: `/console/${section}` })),
  { name: 'console-of-member', path: '/console', who: 'ben' },
  {
    name: 'console-import-of-file',
    path: '/console/imports',
    act: ({ page, texts }) => page.getByRole('radio', { name: texts.inConsole.file }).check(),
  },
  {
    name: 'console-preview-of-table',
    path: '/console/imports',
    act: async ({ page, press, texts }) => {
      const { table, chooseFile, showPreview, preview, columnsRead } = texts.inConsole;
      await page.getByRole('radio', { name: table }).check();
      const content =
        'Food;Brand;Calories;Protein;Fat;Carbs;Shelf\nOat biscuits;Hof;450;7,5;18;64;2\nPlum cake;;300;3;9;50;3\n';
      await page
        .getByLabel(chooseFile)
        .setInputFiles({ name: 'pantry.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
      await press(showPreview);
      await page.getByRole('region', { name: preview }).getByText(columnsRead).first().click();
    },
  },
  {
    name: 'console-running-import',
    path: '/console/imports',
    act: async ({ page, texts, service }) => {
      // Its file is never sent.
      const file = { name: 'products.jsonl', bytes: 1_000_000 };
      const started = await service.ask<{ id: string }>('POST', '/v1/operator/imports', {
        source: 'off',
        file,
      });
      await page.reload();
      await page.getByRole('button', { name: texts.inConsole.cancelImport }).click();
      await page.getByRole('dialog').waitFor();
      await service.ask('DELETE', `/v1/operator/imports/${started.id}`);
    },
  },
  {
    name: 'console-new-key',
    path: '/console/keys',
    act: async ({ page, press, texts }) => {
      await page.getByRole('textbox', { name: texts.inConsole.name }).fill('App of the kitchen');
      await press(texts.inConsole.create);
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'console-revoke-key',
    path: '/console/keys',
    act: ({ press, texts }) => press(texts.inConsole.revoke),
  },
  {
    name: 'console-remove-person',
    path: '/console/people',
    act: ({ press, texts }) => press(texts.inConsole.remove),
  },
];
