import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'vitest';
import { runPage } from '../support/run-page.ts';
import { startServiceProcess } from '../support/service-process.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'troubleshooting.md');

test.skipIf(spawnSync('curl', ['--version']).error !== undefined)(
  'the examples of docs/troubleshooting.md run unchanged against a new service and get the documented responses',
  async () => {
    await using service = await startServiceProcess({ LARDER_THREADS: '1' });
    await runPage(PAGE, { LARDER: service.url, KEY: service.key });
  },
);
