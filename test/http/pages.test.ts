import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'vitest';
import { readStarterFoods } from '../../src/foods/starter/starter-foods.ts';
import { runPage } from '../support/run-page.ts';
import { openTestService } from '../support/test-service.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');

test
  .skipIf(spawnSync('curl', ['--version']).error !== undefined)
  .each(['diary.md', 'moving.md', 'custom-foods.md', 'text.md', 'sync.md'])(
  'the commands of docs/%s run with the shipped foods and print the documented output',
  async (page) => {
    await using service = await openTestService({ foods: [...readStarterFoods()] });
    await runPage(join(DOCS, page), { LARDER: service.url, KEY: service.key });
  },
);
