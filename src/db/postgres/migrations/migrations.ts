import type { Migration } from 'kysely/migration';
import { access, liveKeys, repeatedRequests } from './access.ts';
import { allNutrients, diary, entryNotes, exactAmounts, recipeYields } from './diary.ts';
import { catalogues, foodOwners, liveFoodChanges, liveFoodUsage, tenantFoods } from './foods.ts';
import { imageBytes, scans, scansByOwner, scanTurns, settledScans, storedImages } from './scans.ts';

/** All migrations in their order. Append only: what has run somewhere is never changed. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-access': access,
  '0002-diary': diary,
  '0003-live-foods': tenantFoods,
  '0004-repeated-requests': repeatedRequests,
  '0005-live-food-changes': liveFoodChanges,
  '0006-scans': scans,
  '0007-catalogues': catalogues,
  '0008-scans-by-owner': scansByOwner,
  '0009-settled-scans': settledScans,
  '0010-exact-amounts': exactAmounts,
  '0011-scan-turns': scanTurns,
  '0012-live-food-usage': liveFoodUsage,
  '0013-food-owners': foodOwners,
  '0014-stored-images': storedImages,
  '0015-live-keys': liveKeys,
  '0016-entry-notes': entryNotes,
  '0017-all-nutrients': allNutrients,
  '0018-recipe-yields': recipeYields,
  '0019-image-bytes': imageBytes,
};
