import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runLarder } from '../support/run-larder.ts';
import { runPage } from '../support/run-page.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'console.md');

test.skipIf(spawnSync('curl', ['--version']).error !== undefined)(
  'the examples of docs/console.md run unchanged against a new service and get the documented responses',
  async () => {
    using folder = tempFolder();
    await using service = await startServiceProcess({ LARDER_THREADS: '1' });
    const words = ['--tenant', 'default', '--scopes', 'operator', '--name', 'Console'];
    const key = (await runLarder({ LARDER_DATA_DIR: service.dataDir }, 'key', 'create', ...words)).trim();
    expect(key).toMatch(/^lrd_/);
    await runPage(PAGE, { LARDER: service.url, OPERATOR: key }, folder.path);
  },
);
