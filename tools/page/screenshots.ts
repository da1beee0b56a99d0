/**
 * Takes every view, dialog and state of the page in both themes on a phone and a desktop, of a fresh service with sample data, into
 * `screenshots/`. Names of views take those alone; `--docs` writes the pictures of the documents to `docs/images/`.
 *
 *     npm run screenshots
 *     npm run screenshots -- today console
 *     npm run screenshots -- --sizes small,wide,zoomed --themes light --locale de-DE
 *     npm run screenshots -- --rtl today add
 *     npm run screenshots -- --docs
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { openIdSettings, openPageService } from './page-service.ts';
import { addSampleData } from './sample-data.ts';
import { VIEWS } from './views.ts';
import { type Locale, type Look, MORE_SIZES, openView, SIZES, THEMES } from './visit.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Pictures of the documents: view, size, theme. */
const OF_DOCS = ['today-desktop-light', 'add-phone-light', 'trends-phone-dark', 'console-desktop-light'];
/** Few colours make files small. */
const PNG = { palette: true, colours: 64, compressionLevel: 9, effort: 10 } as const;
const ALL_SIZES: Readonly<Record<string, Look['viewport']>> = { ...SIZES, ...MORE_SIZES };
const { values, positionals } = parseArgs({
  options: {
    docs: { type: 'boolean', default: false },
    rtl: { type: 'boolean', default: false },
    sizes: { type: 'string', default: Object.keys(SIZES).join(',') },
    themes: { type: 'string', default: THEMES.join(',') },
    locale: { type: 'string', default: 'en-US' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
  allowPositionals: true,
});
const folder = join(ROOT, values.docs ? 'docs/images' : 'screenshots');
mkdirSync(folder, { recursive: true });

await using service = await openPageService(values.docs ? {} : await openIdSettings());
await addSampleData(service);
const browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox'] });
const failures: unknown[] = [];
for (const size of values.sizes.split(',')) {
  for (const theme of values.themes.split(',') as Look['theme'][]) {
    for (const view of VIEWS) {
      const name = `${view.name}-${size}-${theme}`;
      const isWanted = values.docs
        ? OF_DOCS.includes(name)
        : positionals.length === 0 || positionals.includes(view.name);
      if (!isWanted) continue;
      const viewport = ALL_SIZES[size]!;
      const look: Look = { viewport, theme, locale: values.locale as Locale, isRightToLeft: values.rtl };
      try {
        const page = await openView(browser, service, view, look);
        const isDialog = (await page.locator('dialog[open]').count()) > 0;
        const picture = await page.screenshot({ fullPage: !values.docs && !isDialog });
        const small = await sharp(picture).png(PNG).toBuffer();
        writeFileSync(join(folder, `${name}.png`), small);
        console.log(`${name}.png  ${Math.ceil(small.length / 1_000)} kB`);
      } catch (error) {
        failures.push(error);
        console.error(error);
      }
      for (const context of browser.contexts()) await context.close();
    }
  }
}
await browser.close();
if (failures.length > 0) process.exitCode = 1;
