import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'vitest';
import { runPage } from '../support/run-page.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = join(ROOT, 'docs', 'text.md');

test.skipIf(spawnSync('curl', ['--version']).error !== undefined)(
  'docs/text.md runs as it stands, over HTTP and on the command line, and gets the answers that it shows',
  async () => {
    using folder = tempFolder();
    symlinkSync(join(ROOT, 'bin', 'larder.mjs'), join(folder.path, 'larder'));
    const PATH = [folder.path, dirname(process.execPath), process.env['PATH']].join(delimiter);
    await using service = await startServiceProcess({ LARDER_THREADS: '1' });
    const { url, key, dataDir } = service;
    await runPage(PAGE, { PATH, LARDER: url, KEY: key, LARDER_DATA_DIR: dataDir });
  },
);
