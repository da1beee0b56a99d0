import type { Log } from '../base/log.ts';
import type { ClusterConfig, Config } from '../config/config.ts';
import type { ActiveCatalogue } from '../foods/published/active-catalogue.ts';
import { backoffAfter } from '../foods/published/fetch-problem.ts';
import { ensureCatalogue, loadCatalogue, loadFirstCatalogue, openCatalogueStore } from './catalogue-store.ts';

/**
 * Resolves when a catalogue is available: a node of a cluster may have to fetch one first, and waits while
 * that is impossible. Throws the reason of `signal` if that is aborted meanwhile.
 */
export function openActiveCatalogue(
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<ActiveCatalogue & AsyncDisposable> {
  return config.mode === 'cluster' ? openOfCluster(config, log, signal) : openOfStore(config, log, signal);
}

async function openOfStore(config: Config, log: Log, signal: AbortSignal) {
  const tell = (facts: object, message: string) => log.warn(facts, message);
  let first: Awaited<ReturnType<typeof loadFirstCatalogue>> | undefined = await loadFirstCatalogue(config, {
    signal,
    tell,
  });
  const store = ofStore(config);
  return {
    ...store,
    async load(name: string, stopped: AbortSignal) {
      const image = first?.name === name ? first.image : undefined;
      first = undefined;
      return image ?? store.load(name, stopped);
    },
    async [Symbol.asyncDispose]() {},
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

async function openOfCluster(config: ClusterConfig, log: Log, signal: AbortSignal) {
  await using opened = new AsyncDisposableStack();
  // Imported here, because a process outside a cluster does not need its libraries.
  const { openPublished } = await import('./open-published.ts');
  const published = opened.adopt(await openPublished(config), ({ close }) => close());
  const loadImage = (file: string) => loadCatalogue(config, file);
  const active = published.openActive({ own: ofStore(config), loadImage, log });
  opened.defer(() => active.close());
  if (!(await active.begin(signal))) {
    await ensureCatalogue(config, { signal, tell: (facts, message) => log.warn(facts, message) });
  }
  const all = opened.move();
  return Object.assign(active, { [Symbol.asyncDispose]: () => all.disposeAsync() });
}
