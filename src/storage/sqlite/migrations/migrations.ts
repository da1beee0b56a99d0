import type { Migration } from 'kysely/migration';

/** All migrations in their order, which load when they are to run. Append only: what has run somewhere is never changed. */
export const MIGRATIONS: Readonly<Record<string, () => Promise<Migration>>> = {
  '0001-api-keys': async () => (await import('./0001-api-keys.ts')).apiKeys,
  '0002-diary': async () => (await import('./0002-diary.ts')).diary,
  '0003-signing-keys': async () => (await import('./0003-signing-keys.ts')).signingKeys,
  '0004-live-foods': async () => (await import('./0004-live-foods.ts')).tenantFoods,
  '0005-idempotent-requests': async () => (await import('./0005-idempotent-requests.ts')).idempotentRequests,
  '0006-repeated-requests': async () => (await import('./0006-repeated-requests.ts')).repeatedRequests,
  '0007-scans': async () => (await import('./0007-scans.ts')).scans,
  '0008-scans-of-nobody': async () => (await import('./0008-scans-of-nobody.ts')).scansOfNobody,
  '0009-settled-scans': async () => (await import('./0009-settled-scans.ts')).settledScans,
  '0010-exact-amounts': async () => (await import('./0010-exact-amounts.ts')).exactAmounts,
  '0011-scan-turns': async () => (await import('./0011-scan-turns.ts')).scanTurns,
  '0012-live-food-usage': async () => (await import('./0012-live-food-usage.ts')).liveFoodUsage,
  '0013-food-owners': async () => (await import('./0013-food-owners.ts')).foodOwners,
  '0014-stored-images': async () => (await import('./0014-stored-images.ts')).storedImages,
  '0015-live-keys': async () => (await import('./0015-live-keys.ts')).liveKeys,
  '0016-entry-notes': async () => (await import('./0016-entry-notes.ts')).entryNotes,
  '0017-all-nutrients': async () => (await import('./0017-all-nutrients.ts')).allNutrients,
  '0018-recipe-yields': async () => (await import('./0018-recipe-yields.ts')).recipeYields,
  '0019-image-bytes': async () => (await import('./0019-image-bytes.ts')).imageBytes,
};

export async function loadMigrations(): Promise<Record<string, Migration>> {
  const loading = Object.entries(MIGRATIONS).map(async ([name, load]) => [name, await load()] as const);
  return Object.fromEntries(await Promise.all(loading));
}
