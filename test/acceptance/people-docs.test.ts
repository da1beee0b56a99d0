import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runPage } from '../support/run-page.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'people.md');

test.skipIf(spawnSync('curl', ['--version']).error !== undefined)(
  'the examples of docs/people.md run unchanged against a new service and get the documented responses',
  async () => {
    using folder = tempFolder();
    await using service = await startServiceProcess({ LARDER_THREADS: '1' });
    const file = join(service.dataDir, 'owner-link.txt');
    const [, link] = (await readFile(file, 'utf8')).split('/welcome#link=');
    await runPage(PAGE, { LARDER: service.url, LINK: link! }, folder.path);
    expect(existsSync(file)).toBe(false);
  },
);
