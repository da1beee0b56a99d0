import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'vitest';
import { readStarterFoods } from '../../src/catalogue/starter/starter-foods.ts';
import { runPage } from '../support/run-page.ts';
import { openTestService } from '../support/test-service.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'diary.md');

test.skipIf(spawnSync('curl', ['--version']).error !== undefined)(
  'the walk through the diary runs as it stands with the foods that ship, and answers what the page says',
  async () => {
    await using service = await openTestService({ foods: [...readStarterFoods()] });
    await runPage(PAGE, { LARDER: service.url, KEY: service.key });
  },
);
