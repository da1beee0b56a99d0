import { loadCatalogueImage } from '../../src/catalogue/catalogue-image.ts';
import type { CatalogueShelf } from '../../src/catalogue/catalogue-shelf.ts';
import type { Food } from '../../src/catalogue/food.ts';
import { publishFoods } from '../../src/catalogue/import/publish-foods.ts';
import {
  createKeyIssuer,
  createSharedMemory,
  openDatabase,
  openKeyStore,
  openShelf,
  startDiaryWriter,
} from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { Service } from '../../src/http/service.ts';
import { COLA, KNOWN, SPREAD } from './foods.ts';
import { MemoryLog } from './memory-log.ts';
import { tempFolder } from './temp-folder.ts';

export interface TestService extends AsyncDisposable {
  readonly url: string;
  /** May do everything, practically without limits. */
  readonly key: string;
  readonly shelf: CatalogueShelf;
  readonly log: MemoryLog;
  /** Tells the service at once that another catalogue came into use. */
  announce(name: string): void;
}

/** A whole service with two API threads over a data folder of its own. */
export async function openTestService({
  foods = [SPREAD, COLA],
  port = '0',
}: {
  foods?: readonly Food[];
  port?: string;
} = {}): Promise<TestService> {
  const folder = tempFolder();
  const config = readConfig({
    LARDER_DATA_DIR: folder.path,
    LARDER_PORT: port,
    LARDER_THREADS: '2',
    LARDER_LOG_LEVEL: 'silent',
  });
  const database = await openDatabase(config);
  const { text: key } = await createKeyIssuer(openKeyStore(database)).create({
    tenant: 'default',
    scopes: ['foods:read', 'diary:read', 'diary:write', 'admin'],
    limits: {
      search: 1_000_000,
      barcode: 1_000_000,
      diaryRead: 1_000_000,
      diaryWrite: 1_000_000,
      other: 1_000_000,
    },
  });
  await database.destroy();
  const shelf = openShelf(config);
  if (foods.length > 0) {
    await publishFoods({ shelf, origin: 'off', sources: ['test'], foods, known: [KNOWN], clock: Date.now });
  }

  const log = new MemoryLog('info');
  const watchers = new Set<(name: string) => void>();
  const service = new Service({
    config,
    logFormat: 'json',
    shelf: {
      current: () => shelf.current(),
      pathOf: (name) => shelf.pathOf(name),
      watch: (onChange) => {
        watchers.add(onChange);
        return { close: () => watchers.delete(onChange) };
      },
    },
    loadImage: loadCatalogueImage,
    startWriter: () =>
      startDiaryWriter(config, (cause) => {
        throw cause;
      }),
    memory: createSharedMemory(),
    log: log.logger,
    nowMs: Date.now,
    onFatal: (cause) => {
      throw cause;
    },
  });
  try {
    const { url } = await service.start();
    return {
      url,
      key,
      shelf,
      log,
      announce: (name) => {
        for (const watcher of watchers) watcher(name);
      },
      async [Symbol.asyncDispose]() {
        await service.stop();
        folder[Symbol.dispose]();
      },
    };
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}
