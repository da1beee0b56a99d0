import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runPage } from '../support/run-page.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');
const PAGE = join(DOCS, 'page.md');

test.skipIf(spawnSync('curl', ['--version']).error !== undefined)(
  'the examples of docs/page.md run unchanged against a new service and get the documented responses',
  async () => {
    using folder = tempFolder();
    await using service = await startServiceProcess({ LARDER_THREADS: '1' });
    await runPage(PAGE, { LARDER: service.url }, folder.path);
  },
);

test('the pictures of docs/page.md exist, and are small', () => {
  const pictures = [...readFileSync(PAGE, 'utf8').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(
    ([, file]) => file!,
  );
  expect(pictures.length).toBeGreaterThan(2);
  for (const file of pictures) {
    expect(existsSync(join(DOCS, file)), file).toBe(true);
    expect(readFileSync(join(DOCS, file)).length, file).toBeLessThan(100_000);
  }
});
