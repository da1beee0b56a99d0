import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import type { Logger } from 'pino';
import { Authenticator } from './access/authenticator.ts';
import { type BearerPorts, identifyBearer } from './access/bearer.ts';
import { keyCaller } from './access/caller.ts';
import { createFirstKey } from './access/first-key.ts';
import { type IssuedKey, KeyIssuer } from './access/key-issuer.ts';
import type { KeyStore } from './access/key-store.ts';
import { OutsideVerifier } from './access/outside-verifier.ts';
import { SigningKeyRing } from './access/signing-key-ring.ts';
import { TenantKeys } from './access/tenant-keys.ts';
import { TokenIssuer, type TokenRequest } from './access/token-issuer.ts';
import { TokenVerifier } from './access/token-verifier.ts';
import { FolderCatalogueShelf } from './adapters/embedded/catalogue-shelf.ts';
import { createCounterMemory } from './adapters/embedded/counter-memory.ts';
import { SharedCounters } from './adapters/embedded/counters.ts';
import { type Database, openDatabase as openSqliteDatabase, toSql } from './adapters/embedded/database.ts';
import { backUpDatabase, restoreDatabase } from './adapters/embedded/database-copies.ts';
import { SqliteDiaryStore } from './adapters/embedded/diary-store.ts';
import { DiaryWriteClient } from './adapters/embedded/diary-write-client.ts';
import { DiaryWriter } from './adapters/embedded/diary-writer.ts';
import { firstKeyFile } from './adapters/embedded/first-key-file.ts';
import { keepObjectSecret } from './adapters/embedded/object-secret.ts';
import { FolderObjectStore } from './adapters/embedded/object-store.ts';
import { toSqlThroughWriter } from './adapters/embedded/writer-dialect.ts';
import { FdcFoodSearch } from './adapters/outside/fdc-food-search.ts';
import { issuerKeys } from './adapters/outside/issuer-keys.ts';
import { OffProductApi } from './adapters/outside/off-product-api.ts';
import { SqlKeyStore } from './adapters/sql/key-store.ts';
import { SqlLiveFoodStore } from './adapters/sql/live-food-store.ts';
import { SqlReplayStore } from './adapters/sql/replay-store.ts';
import { SqlSigningKeyStore } from './adapters/sql/signing-key-store.ts';
import type { Gtin } from './barcode/gtin.ts';
import { loadCatalogueImage } from './catalogue/catalogue-image.ts';
import type { CatalogueShelf } from './catalogue/catalogue-shelf.ts';
import type { Food } from './catalogue/food.ts';
import type { FoodFinder } from './catalogue/food-finder.ts';
import { publishFoods } from './catalogue/import/publish-foods.ts';
import { FoodDirectory } from './catalogue/live/food-directory.ts';
import { listFoods } from './catalogue/live/list-foods.ts';
import { EVERY_TENANT } from './catalogue/live/live-food.ts';
import type { CatalogueView } from './catalogue/live/live-food-finder.ts';
import { LiveFoodWriter } from './catalogue/live/live-food-writer.ts';
import { LiveFoods } from './catalogue/live/live-foods.ts';
import { RevisionCell } from './catalogue/live/revision-cell.ts';
import { GUARD_LIMITS, GuardedSource } from './catalogue/outside/guarded-source.ts';
import { OutsideLookup } from './catalogue/outside/outside-lookup.ts';
import { readStarterFoods } from './catalogue/starter/starter-foods.ts';
import type { Config } from './config.ts';
import { catalogueFoods } from './diary/catalogue-foods.ts';
import { Diary } from './diary/diary.ts';
import { GoalBook } from './diary/goal-book.ts';
import { RecipeBook } from './diary/recipe-book.ts';
import { createIds } from './diary/time-ordered-id.ts';
import type { CredentialKind } from './http/route.ts';
import { Service, type ServicePorts } from './http/service.ts';
import type { SharedMemory } from './http/threads/protocol.ts';
import { RequestLedger } from './idempotency/request-ledger.ts';
import type { Limiter } from './limits/limiter.ts';
import { RequestLimiter } from './limits/request-limiter.ts';
import { andThen } from './maybe-promise.ts';
import { AddressSigner } from './scan/address-signer.ts';
import { ObjectGate } from './scan/object-gate.ts';

/** From configuration to parts that run: the only file that knows which adapter stands behind which port. */
export function openDatabase(config: Config): Promise<Database> {
  return openSqliteDatabase({ file: databaseFile(config) });
}

export function openKeyStore(db: Database): KeyStore {
  return new SqlKeyStore(toSql(db));
}

export function createAuthenticator(store: KeyStore): Authenticator {
  return new Authenticator({ store, nowMs: Date.now });
}

export function createKeyIssuer(store: KeyStore): KeyIssuer {
  return new KeyIssuer({ store, nowMs: Date.now, randomBytes });
}

/** The first key, when this call created it; see `createFirstKey`. */
export function ensureFirstKey(config: Config, store: KeyStore): Promise<IssuedKey | undefined> {
  return createFirstKey({ store, file: firstKeyFile(config.dataDir), nowMs: Date.now, randomBytes });
}

/**
 * What an API thread needs to know its callers. Close it when the thread ends. With `writer` it does not wait itself
 * for what it writes while it answers.
 */
export async function openAccess(config: Config, writer?: DiaryWriteClient) {
  const database = await openDatabase(config);
  const store = openKeyStore(database);
  const authenticator = createAuthenticator(store);
  const ring = new SigningKeyRing({
    store: new SqlSigningKeyStore(toSql(database)),
    nowMs: Date.now,
    createKid: randomUUID,
  });
  const verifier = new TokenVerifier({ ring, authenticator, nowMs: Date.now });
  const tokens = new TokenIssuer({ ring, nowMs: Date.now });
  const keys = new TenantKeys({ store, issuer: createKeyIssuer(store) });
  const outside = openOutsideIssuer(config);
  const bearer = { authenticator, verifier, ...(outside !== undefined && { outside }) };
  const authenticate = (credential: string, kind: CredentialKind) =>
    kind === 'bearer'
      ? identifyBearer(credential, bearer)
      : andThen(authenticator.authenticate(credential), keyCaller);
  return {
    authenticate,
    issueToken: (request: TokenRequest) => tokens.issue(request),
    publicJwks: () => ring.publicJwks(),
    keys: () => keys,
    ledger: new RequestLedger({
      store: new SqlReplayStore({
        ...(writer === undefined ? toSql(database) : toSqlThroughWriter(writer)),
        createClaimId: randomUUID,
      }),
      nowMs: Date.now,
      sleep: setTimeout,
    }),
    checkDatabase: async () => {
      await store.list({ limit: 1 });
    },
    close: () => database.destroy(),
  };
}

function openOutsideIssuer({ oidc }: Config): BearerPorts['outside'] {
  if (oidc === undefined) return undefined;
  const verifier = new OutsideVerifier({ issuer: oidc, keys: issuerKeys(oidc.issuer), nowMs: Date.now });
  return { issuer: oidc.issuer, verify: (token) => verifier.verify(token) };
}

/** Made once for each process and handed to every API thread. */
export function createSharedMemory(): SharedMemory {
  return { limits: createCounterMemory({ randomBytes }), liveFoods: RevisionCell.createMemory() };
}

export function createLimiter(memory: SharedArrayBuffer): Limiter {
  return new RequestLimiter({ counters: new SharedCounters({ memory }), nowMs: Date.now });
}

export function openShelf(config: Config): CatalogueShelf {
  return new FolderCatalogueShelf({ dataDir: config.dataDir, clock: Date.now });
}

/** Puts the foods that ship with the project on a shelf that has no catalogue yet. */
export async function ensureCatalogue(config: Config): Promise<void> {
  const shelf = openShelf(config);
  if ((await shelf.current()) !== undefined) return;
  await publishFoods({
    shelf,
    origin: 'starter',
    sources: ['starter tables'],
    foods: readStarterFoods(),
    clock: Date.now,
  });
}

/** The service over the configured data folder, whose database is up to date; not started yet. */
export function createService(
  parts: Pick<ServicePorts, 'config' | 'logFormat' | 'log' | 'onFatal'>,
): Service {
  return new Service({
    ...parts,
    shelf: openShelf(parts.config),
    loadImage: loadCatalogueImage,
    startWriter: () => startDiaryWriter(parts.config, parts.onFatal),
    memory: createSharedMemory(),
    nowMs: Date.now,
  });
}

/** What writes diaries for all threads of this process; the database has to be up to date. */
export function startDiaryWriter(config: Config, onFailure: (cause: Error) => void): Promise<DiaryWriter> {
  return DiaryWriter.start({ file: databaseFile(config), onFailure });
}

/** A thread's way to the writer, over the port that `connect` gave for it. Close it when the thread ends. */
export function openWriter(port: MessagePort): DiaryWriteClient {
  return new DiaryWriteClient({ port });
}

/** Once for each thread. */
export function openDiary(
  config: Config,
  writer: DiaryWriteClient,
  foods: (tenant: string) => FoodFinder | Promise<FoodFinder>,
) {
  const store = SqliteDiaryStore.open({ file: databaseFile(config), writer });
  const ports = { store, foods: catalogueFoods(foods), nowMs: Date.now, randomBytes };
  return {
    diary: new Diary(ports),
    recipes: new RecipeBook(ports),
    goals: new GoalBook(ports),
    close: () => store.close(),
  };
}

/** Images and analyses, and the way in and out for clients that hold a signed address. */
export async function openObjects({ dataDir }: Config) {
  const signer = new AddressSigner({ secret: await keepObjectSecret(dataDir, randomBytes) });
  const store = await FolderObjectStore.open({ dataDir, signer, nowMs: Date.now });
  return { store, gate: new ObjectGate({ signer, store, nowMs: Date.now }) };
}

export function backUp(config: Config, backup: string): Promise<void> {
  return backUpDatabase({ file: databaseFile(config), backup });
}

/** Where the database is now that was there before, if there was one. */
export function restore(config: Config, backup: string): Promise<string | undefined> {
  return restoreDatabase({ file: databaseFile(config), backup });
}

function databaseFile(config: Config): string {
  return join(config.dataDir, 'larder.db');
}

/** How often a thread looks for foods that another process wrote; those of its own it hears of at once. */
const LIVE_FOODS_POLL_MS = 1_000;

/** The foods that an API thread answers with: the catalogue and what was written through the API. */
export async function openFoods({ config, memory, catalogue, log }: FoodsParts) {
  const db = await openDatabase(config);
  const store = new SqlLiveFoodStore(toSql(db));
  const cell = new RevisionCell({ memory });
  const live = new LiveFoods({ store, cell });
  await live.catchUp();
  const polling = setInterval(() => {
    live.catchUp().catch((err) => log.error({ err }, 'live foods could not be read'));
  }, LIVE_FOODS_POLL_MS).unref();
  const directory = new FoodDirectory({ live, catalogue });
  const writer = new LiveFoodWriter({
    store,
    cell,
    nowMs: Date.now,
    newKey: () => createIds(1, Date.now(), randomBytes)[0]!,
  });
  const outside = new OutsideLookup({
    sources: outsideSources(config),
    keep: async (food) => {
      await writer.put(EVERY_TENANT, food);
    },
    nowMs: Date.now,
    onAnswer: (source, outcome, reason) => log.debug({ source, outcome, reason }, 'asked outside'),
  });
  return {
    of: (tenant: string) => directory.of(tenant),
    askOutside: (gtin: Gtin) => outside.find(gtin),
    writer,
    async close() {
      clearInterval(polling);
      await db.destroy();
    },
  };
}

/** What outside services answered so far; a data folder without a database gets none by being asked. */
export async function* readOutsideFoods(config: Config): AsyncGenerator<Food> {
  if (!existsSync(databaseFile(config))) return;
  const db = await openDatabase(config);
  try {
    yield* listFoods(new SqlLiveFoodStore(toSql(db)), EVERY_TENANT);
  } finally {
    await db.destroy();
  }
}

interface FoodsParts {
  readonly config: Config;
  /** `SharedMemory.liveFoods`. */
  readonly memory: SharedArrayBuffer;
  readonly catalogue: () => CatalogueView;
  readonly log: Pick<Logger, 'debug' | 'error'>;
}

function outsideSources({ outsideApis, offApiUrl, fdcApiUrl, fdcApiKey }: Config): GuardedSource[] {
  const open = {
    off: () => new OffProductApi({ base: offApiUrl }),
    fdc: () => new FdcFoodSearch({ base: fdcApiUrl, apiKey: fdcApiKey }),
  };
  return outsideApis.map(
    (name) => new GuardedSource({ source: open[name](), limits: GUARD_LIMITS, nowMs: Date.now }),
  );
}
