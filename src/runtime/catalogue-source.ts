import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ActiveCatalogueWatch, CatalogueStore } from '../catalogue/compile/catalogue-store-types.ts';
import { loadCatalogueImage } from '../catalogue/file/load-catalogue.ts';
import type { CatalogueFollower } from '../catalogue/published/catalogue-follower.ts';
import type { CatalogueSource, TakeCatalogue } from '../catalogue/published/catalogue-source.ts';
import { PersistentTake } from '../catalogue/published/persistent-take.ts';
import { ensureCatalogue, openCatalogueStore } from '../compose/catalogue-store.ts';
import { openPublished } from '../compose/published-catalogues.ts';
import type { ClusterConfig, Config } from '../config/config.ts';

/** The catalogues that a process answers from. */
export interface ServedCatalogues extends AsyncDisposable {
  readonly source: CatalogueSource;
  /** Reads and checks a catalogue file; throws an `OperatorError` for one that cannot be used. */
  readonly loadImage: (file: string) => Promise<SharedArrayBuffer>;
  /** In a cluster. */
  readonly following: CatalogueFollower | undefined;
}

type Log = Pick<Logger, 'info' | 'warn'>;

const NEVER = new AbortController().signal;

/**
 * Resolves when there is a catalogue to begin with: in a cluster that may have to be fetched first, and has to be waited
 * for where it cannot be. Throws the reason of `signal` where that is aborted meanwhile.
 */
export function openServedCatalogues(config: Config, log: Log, signal = NEVER): Promise<ServedCatalogues> {
  return config.mode === 'cluster' ? openFollowed(config, log, signal) : openShelved(config);
}

async function openShelved(config: Config): Promise<ServedCatalogues> {
  await ensureCatalogue(config);
  const catalogueStore = openCatalogueStore(config);
  return {
    source: {
      current: () => catalogueStore.current(),
      pathOf: (name) => catalogueStore.pathOf(name),
      watch: (known, take) => watchActiveCatalogue(catalogueStore, known, take),
    },
    loadImage: loadCatalogueImage,
    following: undefined,
    async [Symbol.asyncDispose]() {},
  };
}

/** Hands over each one that comes into use, until it is taken: the reason why it is not may pass. */
function watchActiveCatalogue(
  catalogueStore: CatalogueStore,
  known: string,
  take: TakeCatalogue,
): ActiveCatalogueWatch {
  const pause = (ms: number) => sleep(ms, undefined, { ref: false });
  const persistent = new PersistentTake({ take, pause, random: Math.random });
  const watch = catalogueStore.watch(known, (name) => void persistent.take(name));
  return {
    close() {
      watch.close();
      persistent.close();
    },
  };
}

/** The active catalogue of the cluster; until one is activated, what is in use on this machine's shelf. */
async function openFollowed(config: ClusterConfig, log: Log, signal: AbortSignal): Promise<ServedCatalogues> {
  await using opened = new AsyncDisposableStack();
  const published = opened.adopt(await openPublished(config), ({ close }) => close());
  const { copies } = published;
  const following = published.follow({ loadImage: loadCatalogueImage, log });
  opened.defer(() => following.close());
  const first = await following.begin(signal);
  if (first === undefined) await ensureCatalogue(config);
  const catalogueStore = openCatalogueStore(config);
  const firstName = first?.name;
  // Dropped once it is handed over, since it may be large.
  let firstImage = first?.image;
  const all = opened.move();
  return {
    source: {
      current: async () => firstName ?? (await catalogueStore.current()),
      pathOf: (name) => (copies.has(name) ? copies : catalogueStore).pathOf(name),
      watch(known, take) {
        const followed = following.watch(take);
        const shelved = watchActiveCatalogue(catalogueStore, known, async (name) =>
          following.active === undefined ? take(name) : undefined,
        );
        return {
          close() {
            followed.close();
            shelved.close();
          },
        };
      },
    },
    async loadImage(file) {
      // The first one was loaded already, to see whether it can be used.
      const image = firstName !== undefined && file === copies.pathOf(firstName) ? firstImage : undefined;
      firstImage = undefined;
      return image ?? (await loadCatalogueImage(file));
    },
    following,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
