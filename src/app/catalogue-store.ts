import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { retry } from '../base/retry.ts';
import type { Config } from '../config/config.ts';
import { LockedError } from '../files/process-lock.ts';
import { DamagedCatalogueError, MEANING_PREFIX } from '../foods/catalogue/catalogue-file.ts';
import { isReadableCatalogue } from '../foods/catalogue/format.ts';
import { loadCatalogueImage, readCatalogueInfo } from '../foods/catalogue/load-catalogue.ts';
import { CatalogueStore } from '../foods/compile/catalogue-store.ts';
import { readWordVectors } from '../foods/compile/read-word-vectors.ts';
import type { CompleteFoods } from '../foods/import/complete-foods.ts';
import type { ImportProgress } from '../foods/import/import-progress.ts';
import { CatalogueCopies } from '../foods/published/catalogue-copies.ts';
import { readStarterFoods } from '../foods/starter/starter-foods.ts';
import { openDisk } from './data-folder.ts';

const WORD_VECTORS = fileURLToPath(new URL('../../models/food-words', import.meta.url));
const POLL_MS = 100;
const PROGRESS_INTERVAL_MS = 5_000;

type StoreConfig = Pick<Config, 'dataDir' | 'diskReserveMb' | 'meaning'>;

export function openCatalogueStore(config: StoreConfig): CatalogueStore {
  const readWords = config.meaning === 'on' ? () => readWordVectors(WORD_VECTORS) : undefined;
  return new CatalogueStore({
    dataDir: config.dataDir,
    disk: openDisk(config),
    ...(readWords && { readWords }),
    nowMs: Date.now,
  });
}

/** Opens a catalogue with the options of this configuration. */
export function loadCatalogue(
  { meaning }: Pick<Config, 'meaning'>,
  file: string,
): Promise<SharedArrayBuffer> {
  return loadCatalogueImage(file, { leftOut: meaning === 'on' ? undefined : MEANING_PREFIX });
}

/** The file of a catalogue on this machine: in its store, or a copy of a published one. */
export function catalogueFile(config: StoreConfig, name: string): string {
  const own = openCatalogueStore(config).pathOf(name);
  return existsSync(own)
    ? own
    : new CatalogueCopies({ dataDir: config.dataDir, nowMs: Date.now }).pathOf(name);
}

/** The foods that ship with the project. */
export const STARTER = {
  origin: 'starter',
  sources: ['starter tables'],
  foods: { [Symbol.iterator]: readStarterFoods },
} as const satisfies CompleteFoods;

export interface CatalogueStart {
  /** Aborted when the catalogue is not needed any more; its reason is then thrown. */
  readonly signal?: AbortSignal;
  /** Called if the start takes longer than usual, and with the missing foods afterwards. */
  readonly tell?: (facts: object, message: string) => void;
}

/**
 * Resolves when the catalogue store has a catalogue that this program can read. Without any, it compiles the
 * shipped foods; for one of another format version, it compiles the imports again. A service and its worker
 * start together: one compiles, and the others wait.
 */
export async function ensureCatalogue(
  config: StoreConfig,
  { signal = new AbortController().signal, tell = () => {} }: CatalogueStart = {},
): Promise<void> {
  await whenUnlocked(async () => (await missingCatalogue(config))?.({ signal, tell }), { signal, tell });
}

/** Waits for another process that makes a catalogue. */
async function whenUnlocked(
  make: () => Promise<void>,
  { signal, tell }: Required<CatalogueStart>,
): Promise<void> {
  const delayMs = (error: unknown, failures: number) => {
    if (!(error instanceof LockedError)) return undefined;
    if (failures === 1)
      tell({ reason: error.message }, 'waiting for another process, which makes a catalogue');
    return POLL_MS;
  };
  await retry(make, { delayMs, signal });
}

/**
 * The function that makes the catalogue, with code that most starts do not load. Undefined if a readable one
 * exists.
 */
async function missingCatalogue(config: StoreConfig) {
  const catalogueStore = openCatalogueStore(config);
  const name = await catalogueStore.current();
  if (name === undefined)
    return async (start: Required<CatalogueStart>) =>
      (await catalogueStore.isEmpty())
        ? addStarter(config)
        : replaceUnusable(config, catalogueStore, new Error('no file names the one in use'), start);
  const { formatVersion } = await readCatalogueInfo(catalogueStore.pathOf(name));
  if (isReadableCatalogue(formatVersion)) return undefined;
  return async ({ signal, tell }: Required<CatalogueStart>) => {
    const before = { catalogue: name, formatVersion };
    tell(before, 'the catalogue has another format version: its imports are compiled again');
    const { catalogue, foods } = await rebuiltCatalogue(catalogueStore, { signal, tell });
    tell({ catalogue, foods }, 'the catalogue was compiled again');
  };
}

async function rebuiltCatalogue(catalogueStore: CatalogueStore, { signal, tell }: Required<CatalogueStart>) {
  const { rebuildCatalogue } = await import('../foods/import/rebuild-catalogue.ts');
  return rebuildCatalogue({
    catalogueStore,
    lost: {
      inPlace: STARTER,
      report: (reason) =>
        tell({ reason }, 'an import is lost: its foods are missing until it is imported again'),
    },
    progress: toldProgress(tell),
    nowMs: Date.now,
    signal,
  });
}

/** The disk reserve does not apply: this catalogue is small, and the service needs it to start. */
async function addStarter(config: StoreConfig): Promise<void> {
  const catalogueStore = openCatalogueStore({ ...config, diskReserveMb: 0 });
  const { addFoods } = await import('../foods/import/complete-foods.ts');
  await addFoods({ catalogueStore, ...STARTER, nowMs: Date.now });
}

export interface FirstCatalogue {
  readonly name: string;
  readonly image: SharedArrayBuffer;
}

/**
 * Loads the catalogue in use, after `ensureCatalogue`. One that is damaged or missing is replaced: by an earlier one, or by its imports
 * compiled again. Of a missing one the imports come first, since only it knows which they are.
 */
export async function loadFirstCatalogue(
  config: StoreConfig,
  start: Required<CatalogueStart>,
): Promise<FirstCatalogue> {
  for (let attempt = 1; ; attempt++) {
    try {
      await ensureCatalogue(config, start);
      return await loadCurrent(config);
    } catch (error) {
      if (attempt > 1 || !isDamaged(error)) throw error;
      const replace = () => replaceUnusable(config, openCatalogueStore(config), error as Error, start);
      await whenUnlocked(replace, start);
    }
  }
}

/** Like `loadFirstCatalogue`, but undefined if the catalogue has to be replaced or compiled again, which may take minutes. */
export async function loadUsableCatalogue(
  config: StoreConfig,
  start: Required<CatalogueStart>,
): Promise<FirstCatalogue | undefined> {
  if (await openCatalogueStore(config).isEmpty()) return loadFirstCatalogue(config, start);
  try {
    return (await missingCatalogue(config)) === undefined ? await loadCurrent(config) : undefined;
  } catch (error) {
    if (isDamaged(error)) return undefined;
    throw error;
  }
}

async function loadCurrent(config: StoreConfig): Promise<FirstCatalogue> {
  const store = openCatalogueStore(config);
  const name = (await store.current())!;
  return { name, image: await loadCatalogue(config, store.pathOf(name)) };
}

function isDamaged(error: unknown): boolean {
  return error instanceof DamagedCatalogueError || isMissing(error);
}

function isMissing(error: unknown): boolean {
  return (error as { cause?: NodeJS.ErrnoException }).cause?.code === 'ENOENT';
}

async function replaceUnusable(
  config: StoreConfig,
  store: CatalogueStore,
  { message: reason }: Error,
  { signal, tell }: Required<CatalogueStart>,
): Promise<void> {
  const damaged = await store.current();
  const earlier = async () => {
    for (const { name, info } of await store.list()) {
      if (name === damaged || info === undefined || !isReadableCatalogue(info.formatVersion)) continue;
      const isWhole = await loadCatalogue(config, store.pathOf(name)).then(
        () => true,
        () => false,
      );
      if (!isWhole) continue;
      await store.use(name);
      tell(
        { reason, catalogue: name },
        damaged === undefined
          ? 'the catalogue in use is not known: the newest one is used'
          : 'the catalogue in use is damaged: an earlier one is used, without later imports; `larder catalogue rebuild` compiles them again',
      );
      return true;
    }
    return false;
  };
  const again = async () => {
    if (!(await store.hasSegments())) return false;
    tell({ reason }, 'the catalogue in use is damaged or missing: its imports are compiled again');
    const { catalogue, foods } = await rebuiltCatalogue(store, { signal, tell });
    tell({ catalogue, foods }, 'the catalogue was compiled again');
    return true;
  };
  const isThere =
    damaged === undefined ||
    (await readCatalogueInfo(store.pathOf(damaged)).then(
      () => true,
      (error) => !isMissing(error),
    ));
  for (const way of isThere ? [earlier, again] : [again, earlier]) if (await way()) return;
  tell(
    { reason },
    'the catalogue in use is damaged, and nothing of it is left: the foods that ship are used',
  );
  await addStarter(config);
}

/** Logs each phase, and its progress every few seconds. */
function toldProgress(tell: (facts: object, message: string) => void): ImportProgress {
  let phase = '';
  let total = 0;
  let toldAtMs = 0;
  const say = (facts: object) => {
    toldAtMs = performance.now();
    tell({ phase, ...facts }, 'compiling the catalogue');
  };
  return {
    begin(name, size) {
      phase = name;
      total = size;
      say({});
    },
    update(done) {
      if (performance.now() - toldAtMs < PROGRESS_INTERVAL_MS) return;
      say({ percent: Math.floor((100 * done) / Math.max(1, total)) });
    },
    end() {},
  };
}
