import type { Random } from '../../../bench/support/search-random.ts';
import type { Product } from '../cluster/products.ts';
import type { History } from '../history.ts';

/** What every client is given. */
export interface ClientOptions {
  /** Its name in the history. */
  readonly name: string;
  readonly url: string;
  readonly key: string;
  readonly history: History;
  readonly random: Random;
  readonly products: readonly Product[];
  /** Ends the client's work when what it has begun is finished. */
  readonly signal: AbortSignal;
}
