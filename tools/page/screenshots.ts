/**
 * Takes screenshots of every view of the page in both themes and two sizes, from a new service with sample
 * data, into `screenshots/`. Names of views select some of them; `--docs` writes the pictures of the
 * documents to `docs/images/`.
 *
 *     npm run screenshots
 *     npm run screenshots -- today console
 *     npm run screenshots -- --docs
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { openPageService } from './page-service.ts';
import { addSampleData } from './sample-data.ts';
import { openView, SIZES, THEMES, VIEWS } from './views.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Pictures of the documents: view, size, theme. */
const OF_DOCS = ['today-desktop-light', 'add-phone-light', 'trends-phone-dark', 'console-desktop-light'];
/** Few colours make files small. */
const PNG = { palette: true, colours: 64, compressionLevel: 9, effort: 10 } as const;

const { values, positionals } = parseArgs({
  options: {
    docs: { type: 'boolean', default: false },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
  allowPositionals: true,
});
const folder = join(ROOT, values.docs ? 'docs/images' : 'screenshots');
mkdirSync(folder, { recursive: true });

await using service = await openPageService();
await addSampleData(service);
const browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox'] });
for (const [size, viewport] of Object.entries(SIZES)) {
  for (const theme of THEMES) {
    const context = await browser.newContext({
      viewport,
      colorScheme: theme,
      locale: 'en-US',
      reducedMotion: 'reduce',
    });
    await service.signIn(context);
    const page = await context.newPage();
    for (const view of VIEWS) {
      const name = `${view.name}-${size}-${theme}`;
      const isWanted = values.docs
        ? OF_DOCS.includes(name)
        : positionals.length === 0 || positionals.includes(view.name);
      if (!isWanted) continue;
      await openView(page, service.url, view);
      const picture = await page.screenshot({ fullPage: !values.docs && view.press === undefined });
      const small = await sharp(picture).png(PNG).toBuffer();
      writeFileSync(join(folder, `${name}.png`), small);
      console.log(`${name}.png  ${Math.ceil(small.length / 1_000)} kB`);
    }
    await context.close();
  }
}
await browser.close();
