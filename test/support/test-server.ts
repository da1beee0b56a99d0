import type { Server } from 'node:http';
import type { Scope } from '../../src/access/api-key.ts';
import type { Operation } from '../../src/api/operation.ts';
import { openApi } from '../../src/app/api.ts';
import type { OpenDatabase } from '../../src/app/backend.ts';
import { createKeyIssuer, openKeyStore } from '../../src/app/keys.ts';
import { openDatabase, startSharedWork } from '../../src/app/open-backend.ts';
import { mergeWarnings } from '../../src/app/operator/last-warnings.ts';
import { lastWarnings } from '../../src/app/processes/logger.ts';
import { createSharedMemory } from '../../src/app/shared-memory.ts';
import type { ObjectStore } from '../../src/blobs/object-store.ts';
import { readConfig } from '../../src/config/config.ts';
import type { CurrentCatalogue } from '../../src/foods/visible-foods.ts';
import { ALL_OPERATIONS } from '../../src/http/all-operations.ts';
import { closeGracefully, listen } from '../../src/http/server/connection/listening.ts';
import { toEndpoints } from '../../src/http/server/endpoint.ts';
import type { RequestObserver, ServiceState } from '../../src/http/server/request-handler.ts';
import { createServer } from '../../src/http/server/server.ts';
import type { ServiceStatus } from '../../src/http/service/health.ts';
import { type Limiter, UNLIMITED } from '../../src/limits/request-limiter.ts';
import type { ScanStore } from '../../src/scan/jobs/scan-store.ts';
import type { UploadEvents } from '../../src/scan/jobs/upload-events.ts';
import { clusterSettings } from './cluster-settings.ts';
import { compileFoods } from './compiled-foods.ts';
import { BANANA, COLA, KNOWN, SPREAD } from './foods.ts';
import { HttpClient } from './http-client.ts';
import { MemoryLog } from './memory-log.ts';
import { tempFolder } from './temp-folder.ts';

export interface TestServerOptions {
  /** Settings of its cluster; a new one by default in tests on clusters. */
  readonly cluster?: Readonly<Record<string, string>>;
  /** A temporary folder by default. */
  readonly dataDir?: string;
  /** Further settings beside the data folder. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly catalogue?: CurrentCatalogue;
  readonly operations?: readonly Operation<unknown>[];
  readonly limiter?: Limiter;
  /** True to count requests as in the service. Without this and `limiter` they are not counted. */
  readonly limited?: boolean;
  readonly corsOrigins?: readonly string[];
  readonly trustedProxies?: readonly string[];
  /** The clock for expiry of credentials; the machine's by default. */
  readonly nowMs?: () => number;
  readonly status?: () => ServiceStatus;
  readonly service?: ServiceState;
  readonly observer?: RequestObserver;
}

export interface TestServer extends AsyncDisposable {
  /** Port on 127.0.0.1. */
  readonly port: number;
  readonly ask: HttpClient['ask'];
  readonly server: Server;
  /** A key that may read foods. */
  readonly key: string;
  readonly log: readonly string[];
  readonly objects: ObjectStore;
  readonly uploadEvents: UploadEvents;
  readonly scanStore: ScanStore;
  /** Bucket of the object store, in a cluster. */
  readonly bucket: string;
  readonly dataDir: string;
  readonly database: OpenDatabase;
  createKey(scopes: readonly Scope[], expiresAt?: number, tenant?: string): Promise<string>;
}

/** Connections that a test left open are closed after this time. */
const CLOSE_TIMEOUT_MS = 1_000;
const READY: ServiceStatus = {
  phase: 'ready',
  catalogue: { name: 'test', foods: 3, checksum: '00000000' },
};

/** The server of one API thread with a few foods and real keys. */
export async function openTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = tempFolder();
  const config = readConfig({
    ...(options.cluster ?? (await clusterSettings())),
    // Nothing listens there: no test downloads public exports.
    LARDER_OFF_EXPORT_URL: 'http://127.0.0.1:1/off',
    LARDER_FDC_EXPORT_URL: 'http://127.0.0.1:1/fdc.zip',
    // Tests step the clock; those of recent proofs state their own time.
    LARDER_REAUTH_SECONDS: '86400',
    ...options.settings,
    LARDER_DATA_DIR: options.dataDir ?? folder.path,
  });
  const database = await openDatabase(config);
  const issuer = createKeyIssuer(openKeyStore(database));
  const memory = createSharedMemory();
  const createKey = async (scopes: readonly Scope[], expiresAt?: number, tenant = 'default') =>
    (await issuer.create({ tenant, scopes, ...(expiresAt === undefined ? {} : { expiresAt }) })).text;

  const log = new MemoryLog();
  const work = await startSharedWork(config, {
    memory,
    log: log.logger,
    onFailure: (cause) => {
      throw cause;
    },
  });
  const { catalogue } = await compileFoods([[SPREAD, COLA, BANANA]], [KNOWN]);
  const api = await openApi({
    config,
    thread: 0,
    memory,
    port: work.connect(),
    catalogue: options.catalogue ?? { current: catalogue },
    log: log.logger,
    ...(options.nowMs && { nowMs: options.nowMs }),
  });
  const endpoints = toEndpoints(ALL_OPERATIONS, {
    ...api.ports,
    status: options.status ?? (() => READY),
    collectMetrics: async () => '# metrics\n',
    ...api.operatorPorts({
      status: options.status ?? (() => READY),
      serviceFacts: async () => ({ refused: {}, warnings: mergeWarnings([lastWarnings.all()]) }),
    }),
  });
  const server = createServer({
    ...api.guard,
    ...(options.limited !== true && { limiter: options.limiter ?? UNLIMITED }),
    endpoints: [...endpoints, ...toEndpoints(options.operations ?? [], undefined)],
    publicUrl: config.publicUrl,
    corsOrigins: options.corsOrigins ?? [],
    trustedProxies: options.trustedProxies ?? [],
    hstsSeconds: config.hstsSeconds,
    nowMs: Date.now,
    observer: options.observer ?? { started: () => {}, originRefused: () => {}, finished: () => {} },
    log: log.logger,
    service: options.service ?? { isStopping: false },
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  const client = new HttpClient(port);
  return {
    port,
    server,
    ask: (asked) => client.ask(asked),
    key: await createKey(['foods:read']),
    log: log.lines,
    objects: api.objects,
    uploadEvents: api.uploadEvents,
    scanStore: api.scanStore,
    bucket: config.mode === 'cluster' ? config.s3.bucket : '',
    dataDir: config.dataDir,
    database,
    createKey,
    async [Symbol.asyncDispose]() {
      client.close();
      await closeGracefully(server, CLOSE_TIMEOUT_MS);
      await api.close();
      await work.close();
      await database.close();
      folder[Symbol.dispose]();
    },
  };
}
