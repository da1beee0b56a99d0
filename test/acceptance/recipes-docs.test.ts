import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'vitest';
import { ean13Bars } from '../support/barcode-bars.ts';
import { barcodePicture } from '../support/barcode-picture.ts';
import { runPage } from '../support/run-page.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'recipes-for-apps.md');
const SHIPPED_UPC_A = '747599322198';

test.skipIf(spawnSync('curl', ['--version']).error !== undefined)(
  'docs/recipes-for-apps.md runs as it stands against a new service and gets the answers that it shows',
  async () => {
    using folder = tempFolder();
    const photo = await barcodePicture({ bars: ean13Bars(`0${SHIPPED_UPC_A}`) });
    await writeFile(join(folder.path, 'lunch.png'), await photo.png().toBuffer());
    await using service = await startServiceProcess({ LARDER_THREADS: '1' });
    await runPage(PAGE, { LARDER: service.url, KEY: service.key }, folder.path);
  },
);
