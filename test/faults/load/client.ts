import type { Random } from '../../../bench/support/search-random.ts';
import type { Product } from '../cluster/products.ts';
import type { History } from '../history.ts';

/** Parameters of every client. */
export interface ClientOptions {
  /** Its name in the history. */
  readonly name: string;
  readonly url: string;
  readonly key: string;
  readonly history: History;
  readonly random: Random;
  readonly products: readonly Product[];
  /** Ends the client's work when its running requests are finished. */
  readonly signal: AbortSignal;
}
