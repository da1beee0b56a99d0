import type { Food } from '@larder/core/food.ts';
import { openCatalogueStore } from '../../src/app/catalogue-store.ts';
import { createKeyIssuer, openKeyStore } from '../../src/app/keys.ts';
import { openDatabase } from '../../src/app/open-backend.ts';
import { openPublished } from '../../src/app/open-published.ts';
import { Service } from '../../src/app/processes/service.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import { loadCatalogueImage } from '../../src/foods/catalogue/load-catalogue.ts';
import type { CatalogueStore } from '../../src/foods/compile/catalogue-store.ts';
import { addFoods } from '../../src/foods/import/complete-foods.ts';
import type { ActiveCatalogue } from '../../src/foods/published/active-catalogue.ts';
import { backoffAfter } from '../../src/foods/published/fetch-problem.ts';
import { clusterSettings } from './cluster-settings.ts';
import { COLA, KNOWN, SPREAD } from './foods.ts';
import { MemoryLog } from './memory-log.ts';
import { tempFolder } from './temp-folder.ts';

export interface TestService extends AsyncDisposable {
  readonly url: string;
  /** API key with all scopes and practically no limits. */
  readonly key: string;
  readonly config: Config;
  readonly catalogueStore: CatalogueStore;
  readonly log: MemoryLog;
  /** Notifies the service of another active catalogue. */
  announce(name: string): void;
}

/** A whole service with two API threads over a temporary data folder. */
export async function openTestService({
  foods = [SPREAD, COLA],
  port = '0',
  settings = {},
}: {
  foods?: readonly Food[];
  port?: string;
  /** Further settings. */
  settings?: Readonly<Record<string, string>>;
} = {}): Promise<TestService> {
  const folder = tempFolder();
  const config = readConfig({
    ...(await clusterSettings()),
    LARDER_DATA_DIR: folder.path,
    LARDER_PORT: port,
    LARDER_THREADS: '2',
    LARDER_SCAN_WORKERS: '1',
    LARDER_LOG_LEVEL: 'silent',
    ...settings,
  });
  const database = await openDatabase(config);
  const { text: key } = await createKeyIssuer(openKeyStore(database)).create({
    tenant: 'default',
    scopes: [
      'foods:read',
      'foods:write',
      'diary:read',
      'diary:write',
      'diary:erase',
      'scan',
      'webhooks',
      'admin',
      'metrics',
    ],
    limits: {
      search: 1_000_000,
      barcode: 1_000_000,
      diaryRead: 1_000_000,
      diaryWrite: 1_000_000,
      import: 1_000_000,
      scanCreate: 1_000_000,
      scanPoll: 1_000_000,
      stream: 1_000_000,
      other: 1_000_000,
    },
  });
  await database.close();
  const catalogueStore = openCatalogueStore(config);
  if (foods.length > 0) {
    await addFoods({
      catalogueStore,
      origin: 'off',
      sources: ['test'],
      foods,
      known: [KNOWN],
      nowMs: Date.now,
    });
  }

  const log = new MemoryLog('info');
  const watchers = new Set<(name: string) => void>();
  const published = config.mode === 'cluster' ? await openPublished(config) : undefined;
  const own: ActiveCatalogue = {
    current: () => catalogueStore.current(),
    load: (name) => loadCatalogueImage(catalogueStore.pathOf(name)),
    watch(_known, onChange) {
      watchers.add(onChange);
      return { close: () => watchers.delete(onChange) };
    },
    served: async () => {},
    failed: async () => backoffAfter(),
  };
  const service = new Service({
    config,
    logFormat: 'json',
    active: { ...own, node: published?.openActive({ own, loadImage: loadCatalogueImage, log: log.logger }) },
    log: log.logger,
    onFatal(cause) {
      throw cause;
    },
  });
  try {
    const { url } = await service.start();
    return {
      url,
      key,
      config,
      catalogueStore,
      log,
      announce: (name) => {
        for (const onChange of watchers) onChange(name);
      },
      async [Symbol.asyncDispose]() {
        await service.stop();
        await published?.close();
        folder[Symbol.dispose]();
      },
    };
  } catch (error) {
    await published?.close();
    folder[Symbol.dispose]();
    throw error;
  }
}
