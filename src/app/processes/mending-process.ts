import type { Config } from '../../config/config.ts';
import { lowerProcessPriority, serveParent } from '../../threads/parent.ts';
import { loadFirstCatalogue } from '../catalogue-store.ts';

/** The call of the service to the process. */
export interface MendingCalls {
  /** Resolves when the catalogue in use can be loaded. */
  mend(): Promise<void>;
}

/** Calls of the process to the service. */
export interface MendingParent {
  tell(told: { readonly facts: object; readonly message: string }): void;
}

lowerProcessPriority();

/** A process that replaces the catalogue in use, or compiles it again, while the service answers without one. */
serveParent<Config, MendingParent>(
  async (config, parent) =>
    ({
      async mend() {
        await loadFirstCatalogue(config, {
          signal: new AbortController().signal,
          tell: (facts, message) => void parent.call('tell', { facts, message }).catch(() => {}),
        });
      },
    }) satisfies MendingCalls,
);
