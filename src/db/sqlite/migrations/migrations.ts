import type { Migration } from 'kysely/migration';

/** All migrations in their order, which load when they are to run. Append only: what has run somewhere is never changed. */
export const MIGRATIONS: Readonly<Record<string, () => Promise<Migration>>> = {
  '0001-api-keys': async () => (await import('./access.ts')).apiKeys,
  '0002-diary': async () => (await import('./diary.ts')).diary,
  '0003-signing-keys': async () => (await import('./access.ts')).signingKeys,
  '0004-live-foods': async () => (await import('./foods.ts')).tenantFoods,
  '0005-idempotent-requests': async () => (await import('./access.ts')).idempotentRequests,
  '0006-repeated-requests': async () => (await import('./access.ts')).repeatedRequests,
  '0007-scans': async () => (await import('./scans.ts')).scans,
  '0008-scans-of-nobody': async () => (await import('./scans.ts')).scansOfNobody,
  '0009-settled-scans': async () => (await import('./scans.ts')).settledScans,
  '0010-exact-amounts': async () => (await import('./diary.ts')).exactAmounts,
  '0011-scan-turns': async () => (await import('./scans.ts')).scanTurns,
  '0012-live-food-usage': async () => (await import('./foods.ts')).liveFoodUsage,
  '0013-food-owners': async () => (await import('./foods.ts')).foodOwners,
  '0014-stored-images': async () => (await import('./scans.ts')).storedImages,
  '0015-live-keys': async () => (await import('./access.ts')).liveKeys,
  '0016-entry-notes': async () => (await import('./diary.ts')).entryNotes,
  '0017-all-nutrients': async () => (await import('./diary.ts')).allNutrients,
  '0018-recipe-yields': async () => (await import('./diary.ts')).recipeYields,
  '0019-image-bytes': async () => (await import('./scans.ts')).imageBytes,
};

export async function loadMigrations(): Promise<Record<string, Migration>> {
  const loading = Object.entries(MIGRATIONS).map(async ([name, load]) => [name, await load()] as const);
  return Object.fromEntries(await Promise.all(loading));
}
