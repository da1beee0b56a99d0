import type { Migration } from 'kysely/migration';
import { apiKeys } from './0001-api-keys.ts';
import { diary } from './0002-diary.ts';
import { signingKeys } from './0003-signing-keys.ts';
import { tenantFoods } from './0004-live-foods.ts';
import { idempotentRequests } from './0005-idempotent-requests.ts';
import { repeatedRequests } from './0006-repeated-requests.ts';
import { scans } from './0007-scans.ts';
import { scansOfNobody } from './0008-scans-of-nobody.ts';
import { settledScans } from './0009-settled-scans.ts';
import { exactAmounts } from './0010-exact-amounts.ts';
import { scanTurns } from './0011-scan-turns.ts';
import { liveFoodUsage } from './0012-live-food-usage.ts';
import { foodOwners } from './0013-food-owners.ts';
import { storedImages } from './0014-stored-images.ts';
import { liveKeys } from './0015-live-keys.ts';
import { entryNotes } from './0016-entry-notes.ts';
import { allNutrients } from './0017-all-nutrients.ts';
import { recipeYields } from './0018-recipe-yields.ts';
import { imageBytes } from './0019-image-bytes.ts';

/** All migrations in their order. Append only: what has run somewhere is never changed. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-api-keys': apiKeys,
  '0002-diary': diary,
  '0003-signing-keys': signingKeys,
  '0004-live-foods': tenantFoods,
  '0005-idempotent-requests': idempotentRequests,
  '0006-repeated-requests': repeatedRequests,
  '0007-scans': scans,
  '0008-scans-of-nobody': scansOfNobody,
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
