import type { SigningKeyRing } from '../access/signing-keys.ts';
import type { TenantKeys } from '../access/tenant-keys.ts';
import type { TokenIssuer } from '../access/token-issuer.ts';
import type { TenantFoodWriter } from '../catalogue/tenant-foods/tenant-food-writer.ts';
import type { FoodDirectory } from '../catalogue/visible-foods.ts';
import type { RecipeBook } from '../diary/user-recipes.ts';
import type { Scans } from '../scan/jobs/scans.ts';
import type { ScanStreams } from './scans/scan-streams.ts';

/** What operations stand on. */
export interface Ports {
  readonly keys: TenantKeys;
  readonly tokens: Pick<TokenIssuer, 'issue'>;
  readonly signingKeys: Pick<SigningKeyRing, 'publicJwks'>;
  readonly foods: FoodDirectory;
  readonly ownFoods: TenantFoodWriter;
  readonly recipes: RecipeBook;
  readonly scans: Scans;
  readonly scanStreams: ScanStreams;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}
