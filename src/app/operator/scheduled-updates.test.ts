import { expect, test } from 'vitest';
import type { CatalogueImports } from '../../foods/import/catalogue-imports.ts';
import { startIfDue } from './open-operator.ts';

const NOW_MS = Date.UTC(2026, 10, 30);
const DAY_MS = 86_400_000;

async function started(lastImportDaysAgo: number | undefined, lastJobDaysAgo?: number) {
  const asked: object[] = [];
  const jobs = lastJobDaysAgo === undefined ? [] : [{ createdAtMs: NOW_MS - lastJobDaysAgo * DAY_MS }];
  const imports = { list: async () => jobs, start: async (what: object) => void asked.push(what) };
  const isStarted = await startIfDue({
    imports: async () => imports as unknown as CatalogueImports,
    lastImport: async () =>
      lastImportDaysAgo === undefined ? undefined : NOW_MS - lastImportDaysAgo * DAY_MS,
    nowMs: () => NOW_MS,
  });
  expect(isStarted).toBe(asked.length === 1);
  return asked[0];
}

test('an import that is a week old is updated, and nothing that was never imported', async () => {
  expect(await started(7)).toEqual({ source: 'off', update: true });
  expect(await started(6.9)).toBeUndefined();
  expect(await started(undefined)).toBeUndefined();
});

test('an update that failed is tried again after a day', async () => {
  expect(await started(8, 0.9)).toBeUndefined();
  expect(await started(8, 1.1)).toEqual({ source: 'off', update: true });
});
