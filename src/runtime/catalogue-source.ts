import type { Logger } from 'pino';
import { ensureCatalogue, loadCatalogue, openCatalogueStore } from '../compose/catalogue-store.ts';
import type { ClusterConfig, Config } from '../config/config.ts';
import type { ActiveCatalogueWatch } from '../foods/compile/active-pointer.ts';
import type { CatalogueStore } from '../foods/compile/catalogue-store.ts';
import type { CatalogueFollower } from '../foods/published/catalogue-follower.ts';
import type { CopyProblemCode } from '../foods/published/fetch-problem.ts';

/** Tells a process which catalogue to answer from, and gets it. */
interface CatalogueSource {
  /** The one to begin with; undefined where there is none. */
  current(): Promise<string | undefined>;
  /** Calls `onNewest` where another one than `known` is to be answered from, and for each further one. */
  watch(known: string, onNewest: (name: string) => void): ActiveCatalogueWatch;
  /** Reads and verifies the catalogue of this name, which is fetched first where that is needed. */
  load(name: string, signal: AbortSignal): Promise<SharedArrayBuffer>;
  /** To be called when the process answers from it. */
  taken(name: string): Promise<void>;
  /** To be called when it could not be loaded, or the process could not use it. Resolves with the kind of the problem. */
  failed(name: string, error: unknown): Promise<CopyProblemCode>;
}

/** Where a process gets its catalogues from. */
export interface CatalogueUpdates {
  readonly source: CatalogueSource;
  /** In a cluster. */
  readonly following: Following | undefined;
}

type Following = Pick<CatalogueFollower, 'active' | 'problem' | 'isBehind' | 'fetches' | 'onChange' | 'wake'>;
type Log = Pick<Logger, 'info' | 'warn'>;

/**
 * Resolves when there is a catalogue to begin with: in a cluster that may have to be fetched first, and has to be waited
 * for where it cannot be. Throws the reason of `signal` where that is aborted meanwhile.
 */
export function openCatalogueUpdates(
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<CatalogueUpdates & AsyncDisposable> {
  return config.mode === 'cluster'
    ? openClusterUpdates(config, log, signal)
    : openOwnUpdates(config, log, signal);
}

async function openOwnUpdates(
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<CatalogueUpdates & AsyncDisposable> {
  await ensureCatalogue(config, { signal, tell: (facts, message) => log.warn(facts, message) });
  const source = fromStore(openCatalogueStore(config), config);
  return { source, following: undefined, async [Symbol.asyncDispose]() {} };
}

/** The catalogues of this machine's store. */
function fromStore(store: CatalogueStore, config: Config): CatalogueSource {
  return {
    current: () => store.current(),
    watch: (known, onNewest) => store.watch(known, onNewest),
    load: (name) => loadCatalogue(config, store.pathOf(name)),
    taken: async () => {},
    failed: async () => 'cannot_load',
  };
}

/** The active catalogue of the cluster; until one is activated, the catalogues of this machine's store. */
async function openClusterUpdates(
  config: ClusterConfig,
  log: Log,
  signal: AbortSignal,
): Promise<CatalogueUpdates & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  // Loaded here, since a process without a cluster does without its libraries.
  const { openPublished } = await import('../compose/published-catalogues.ts');
  const published = opened.adopt(await openPublished(config), ({ close }) => close());
  const following = published.follow({ loadImage: (file) => loadCatalogue(config, file), log });
  opened.defer(() => following.close());
  // Dropped once it is handed over, since it may be large.
  let first = await following.begin(signal);
  if (first === undefined) {
    await ensureCatalogue(config, { signal, tell: (facts, message) => log.warn(facts, message) });
  }
  const own = fromStore(openCatalogueStore(config), config);
  const firstName = first?.name;
  const sourceOf = (name: string) =>
    name === following.active || published.copies.has(name) ? following : own;
  const all = opened.move();
  return {
    source: {
      current: async () => firstName ?? (await own.current()),
      watch(known, onNewest) {
        const active = following.watch(onNewest);
        const stored = own.watch(known, (name) => {
          if (following.active === undefined) onNewest(name);
        });
        return {
          close() {
            active.close();
            stored.close();
          },
        };
      },
      load(name, aborted) {
        const loaded = first?.name === name ? first : undefined;
        first = undefined;
        return loaded === undefined ? sourceOf(name).load(name, aborted) : Promise.resolve(loaded.image);
      },
      taken: (name) => sourceOf(name).taken(name),
      failed: (name, error) => sourceOf(name).failed(name, error),
    },
    following,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
