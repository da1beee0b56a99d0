import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'vitest';
import { SCOPES } from '../../src/access/scope.ts';
import { readStarterFoods } from '../../src/catalogue/starter/starter-foods.ts';
import { FoodDirectory } from '../../src/catalogue/visible-foods.ts';
import { analyse } from '../../src/scan/analysis/analyse-image.ts';
import { foundFoods } from '../../src/scan/analysis/scan-foods.ts';
import { BarcodeRecognizer } from '../../src/scan/recognizers/barcode/barcode-recognizer.ts';
import { ean13Bars } from '../support/barcode-bars.ts';
import { barcodePicture } from '../support/barcode-picture.ts';
import { compileFoods } from '../support/compiled-foods.ts';
import { runPage } from '../support/run-page.ts';
import { settleNextScan } from '../support/settle-scan.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTestServer } from '../support/test-server.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'scans.md');
const SHIPPED_UPC_A = '747599322198';

test.skipIf(spawnSync('curl', ['--version']).error !== undefined)(
  'the walk through scans runs as it stands with a food that ships, and answers what the page says',
  async () => {
    using folder = tempFolder();
    const bytes = await (await barcodePicture({ bars: ean13Bars(`0${SHIPPED_UPC_A}`) })).png().toBuffer();
    await writeFile(join(folder.path, 'lunch.png'), bytes);
    const { catalogue } = await compileFoods([[...readStarterFoods()]], []);
    const barcodes = await BarcodeRecognizer.open({ nowMs: () => 0 });
    const outcome = await analyse({
      bytes,
      recognizers: [barcodes],
      foods: foundFoods({
        foods: new FoodDirectory({ catalogue: () => catalogue }),
        viewer: { tenant: 'acme' },
        shipped: () => undefined,
      }),
      signal: new AbortController().signal,
      nowMs: performance.now.bind(performance),
    });
    await barcodes.close();

    await using fixture = await openTestServer();
    const url = `http://127.0.0.1:${fixture.port}`;
    const key = await fixture.createKey(SCOPES);
    await Promise.all([
      runPage(PAGE, { LARDER: url, KEY: key }, folder.path),
      settleNextScan(fixture.database, outcome),
    ]);
  },
);
