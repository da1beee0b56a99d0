import type { FastifyInstance } from 'fastify';
import type { Scope } from '../../src/access/scope.ts';
import type { Catalogue } from '../../src/catalogue/catalogue.ts';
import {
  createKeyIssuer,
  createSharedMemory,
  openAccess,
  openDatabase,
  openDiary,
  openFoods,
  openKeyStore,
  openObjects,
  openWriter,
  startDiaryWriter,
} from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { apiRoutes } from '../../src/http/api-routes.ts';
import type { Route } from '../../src/http/route.ts';
import { createServer } from '../../src/http/server.ts';
import type { ServiceStatus } from '../../src/http/service-status.ts';
import { type Limiter, UNLIMITED } from '../../src/limits/limiter.ts';
import type { ObjectStore } from '../../src/scan/object-store.ts';
import { compileFoods } from './compiled-foods.ts';
import { BANANA, COLA, KNOWN, SPREAD } from './foods.ts';
import { MemoryLog } from './memory-log.ts';
import { tempFolder } from './temp-folder.ts';

export interface TestServerOptions {
  /** Settings beside the data folder. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly catalogue?: () => Catalogue;
  readonly routes?: readonly Route[];
  readonly limiter?: Limiter;
  readonly corsOrigins?: readonly string[];
  readonly trustedProxies?: readonly string[];
  readonly status?: () => ServiceStatus;
  readonly isStopping?: () => boolean;
}

export interface TestServer extends AsyncDisposable {
  readonly server: FastifyInstance;
  readonly routes: readonly Route[];
  /** May read foods. */
  readonly key: string;
  readonly log: readonly string[];
  readonly objects: ObjectStore;
  readonly dataDir: string;
  createKey(scopes: readonly Scope[], expiresAt?: number, tenant?: string): Promise<string>;
}

const READY: ServiceStatus = {
  phase: 'ready',
  catalogue: { name: 'test', foods: 3, checksum: '00000000' },
};

/** The server of one API thread over a few foods and real keys, not listening yet. */
export async function openTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = tempFolder();
  const config = readConfig({ ...options.settings, LARDER_DATA_DIR: folder.path });
  const database = await openDatabase(config);
  const store = openKeyStore(database);
  const issuer = createKeyIssuer(store);
  const writer = await startDiaryWriter(config, (cause) => {
    throw cause;
  });
  const writes = openWriter(writer.connect());
  const access = await openAccess(config, writes);
  const createKey = async (scopes: readonly Scope[], expiresAt?: number, tenant = 'default') =>
    (await issuer.create({ tenant, scopes, ...(expiresAt === undefined ? {} : { expiresAt }) })).text;

  const log = new MemoryLog();
  const { catalogue } = await compileFoods([[SPREAD, COLA, BANANA]], [KNOWN]);
  const foods = await openFoods({
    config,
    memory: createSharedMemory().liveFoods,
    catalogue: options.catalogue ?? (() => catalogue),
    log: log.logger,
  });
  const { diary, recipes, goals, close: closeDiary } = openDiary(config, writes, foods.of);
  const objects = await openObjects(config);
  const routes = apiRoutes({
    foods: foods.of,
    askOutside: foods.askOutside,
    ownFoods: () => foods.writer,
    diary: () => diary,
    recipes: () => recipes,
    goals: () => goals,
    issueToken: access.issueToken,
    publicJwks: access.publicJwks,
    keys: access.keys,
    nowMs: Date.now,
    status: options.status ?? (() => READY),
    checkDatabase: async () => {},
    collectMetrics: async () => '# metrics\n',
    objectGate: () => objects.gate,
  });
  const server = createServer({
    routes: [...routes, ...(options.routes ?? [])],
    authenticate: access.authenticate,
    limiter: options.limiter ?? UNLIMITED,
    ledger: access.ledger,
    corsOrigins: options.corsOrigins ?? [],
    trustedProxies: options.trustedProxies ?? [],
    now: Date.now,
    observer: { started: () => {}, finished: () => {} },
    log: log.logger,
    isStopping: options.isStopping ?? (() => false),
  });
  return {
    server,
    routes,
    key: await createKey(['foods:read']),
    log: log.lines,
    objects: objects.store,
    dataDir: folder.path,
    createKey,
    async [Symbol.asyncDispose]() {
      await server.close();
      closeDiary();
      writes.close();
      await foods.close();
      await writer.close();
      await access.close();
      await database.destroy();
      folder[Symbol.dispose]();
    },
  };
}
