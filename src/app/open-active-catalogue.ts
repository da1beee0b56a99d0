import type { Log } from '../base/log.ts';
import type { ClusterConfig, Config } from '../config/config.ts';
import type { ActiveCatalogue } from '../foods/published/active-catalogue.ts';
import { backoffAfter } from '../foods/published/fetch-problem.ts';
import {
  loadCatalogue,
  loadFirstCatalogue,
  loadUsableCatalogue,
  openCatalogueStore,
} from './catalogue-store.ts';
import { mendCatalogue } from './processes/mend-catalogue.ts';

export interface Opening {
  readonly log: Log;
  /** Its reason is thrown if it is aborted meanwhile. */
  readonly signal: AbortSignal;
  /** Whether the process can begin without a catalogue, while a process beside it replaces one that cannot be used. */
  readonly canBeginWithout?: boolean;
}

/**
 * Resolves when a catalogue is available: a node of a cluster may have to fetch one first, and waits while
 * that is impossible.
 */
export function openActiveCatalogue(
  config: Config,
  opening: Opening,
): Promise<ActiveCatalogue & AsyncDisposable> {
  return config.mode === 'cluster' ? openOfCluster(config, opening) : openOfStore(config, opening);
}

async function openOfStore(config: Config, { log, signal, canBeginWithout = false }: Opening) {
  const start = { signal, tell: (facts: object, message: string) => log.warn(facts, message) };
  const unusable = await openCatalogueStore(config).current();
  let first = await (canBeginWithout ? loadUsableCatalogue : loadFirstCatalogue)(config, start);
  const end = new AbortController();
  const mending = first === undefined ? mendCatalogue({ config, log, signal: end.signal }) : undefined;
  const store = ofStore(config);
  return {
    ...store,
    isMending: mending !== undefined,
    current: async () => (mending === undefined ? store.current() : undefined),
    watch: (known: string | undefined, onChange: (name: string) => void) =>
      store.watch(known ?? unusable, onChange),
    async load(name: string, stopped: AbortSignal) {
      const image = first?.name === name ? first.image : undefined;
      first = undefined;
      return image ?? store.load(name, stopped);
    },
    async [Symbol.asyncDispose]() {
      end.abort(new Error('the service stops'));
      await mending;
    },
  };
}

/** The active catalogue of this machine's store. */
function ofStore(config: Config): ActiveCatalogue {
  const store = openCatalogueStore(config);
  return {
    current: () => store.current(),
    watch: (known, onChange) => store.watch(known, onChange),
    load: (name) => loadCatalogue(config, store.pathOf(name)),
    served: async () => {},
    failed: async () => backoffAfter(),
  };
}

async function openOfCluster(config: ClusterConfig, { log, signal }: Opening) {
  await using opened = new AsyncDisposableStack();
  // Imported here, because a process outside a cluster does not need its libraries.
  const { openPublished } = await import('./open-published.ts');
  const published = opened.adopt(await openPublished(config), ({ close }) => close());
  const loadImage = (file: string) => loadCatalogue(config, file);
  const active = published.openActive({ own: ofStore(config), loadImage, log });
  opened.defer(() => active.close());
  if (!(await active.begin(signal))) {
    await loadFirstCatalogue(config, { signal, tell: (facts, message) => log.warn(facts, message) });
  }
  const all = opened.move();
  return Object.assign(active, { [Symbol.asyncDispose]: () => all.disposeAsync() });
}
