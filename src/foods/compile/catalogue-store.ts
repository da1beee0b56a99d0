import { readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import type { WordVectorSections } from '@larder/search/word-vectors.ts';
import type { WriterDisk } from '../../files/atomic-file-writer.ts';
import { fileError } from '../../files/file-errors.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { ProcessLock } from '../../files/process-lock.ts';
import { SEGMENT_FACTS_PREFIX } from '../catalogue/catalogue-file.ts';
import { type CatalogueInfo, catalogueName, utcStamp } from '../catalogue/catalogue-info.ts';
import { readCatalogueInfo, readCatalogueSections } from '../catalogue/load-catalogue.ts';
import { SegmentReader } from '../catalogue/segment-reader.ts';
import { readPointer, watchPointer, writePointer } from './active-pointer.ts';
import { type CompleteOptions, ImportWorkspace, type WorkspaceSegment } from './import-workspace.ts';
import type { FactsSource } from './write-facts.ts';

/** Older ones are removed, except the one in use. */
const KEPT_CATALOGUES = 3;
const CATALOGUE_ENDING = '.catalogue';
const SEGMENT_ENDING = '.segment';
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** A compiled catalogue in the store. */
export interface ListedCatalogue {
  readonly name: string;
  readonly inUse: boolean;
  /** Undefined if the file cannot be read; `problem` says why. */
  readonly info?: CatalogueInfo;
  readonly problem?: string;
}

export interface CatalogueStoreOptions {
  readonly dataDir: string;
  readonly disk?: WriterDisk;
  /** Word vectors for each compiled catalogue; by default there are none. */
  readonly readWords?: () => WordVectorSections | undefined;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/**
 * Keeps compiled catalogues and the pointer to the one in use, in the data folder:
 *
 *     catalogues/NAME.catalogue   compiled catalogues
 *     catalogues/current          name of the one in use
 *     catalogues/import.lock      held while an import runs
 *     segments/NAME.segment       foods of one import; catalogues are compiled from these
 *
 * The pointer changes atomically and is durable once `use` returns. A catalogue is
 * complete or absent. The one in use is never removed. Any number of processes may read while one imports.
 *
 * A crash leaves files that no name points to: `*.tmp`, and segments of no catalogue. The next import removes them.
 */
export class CatalogueStore {
  readonly #catalogues: string;
  readonly #segments: string;
  readonly #pointer: string;
  readonly #lockFile: string;
  readonly #disk: WriterDisk | undefined;
  readonly #readWords: () => WordVectorSections | undefined;
  readonly #nowMs: () => number;

  constructor({ dataDir, disk, readWords = () => undefined, nowMs }: CatalogueStoreOptions) {
    this.#catalogues = join(dataDir, 'catalogues');
    this.#segments = join(dataDir, 'segments');
    this.#pointer = join(this.#catalogues, 'current');
    this.#lockFile = join(this.#catalogues, 'import.lock');
    this.#disk = disk;
    this.#readWords = readWords;
    this.#nowMs = nowMs;
  }

  /** Newest first. */
  async list(): Promise<readonly ListedCatalogue[]> {
    const current = await this.current();
    const names = await filesEnding(this.#catalogues, CATALOGUE_ENDING);
    const catalogues = await Promise.all(names.map((name) => this.#describe(name, name === current)));
    return catalogues.toSorted(
      (a, b) => (b.info?.createdAt ?? 0) - (a.info?.createdAt ?? 0) || (a.name < b.name ? 1 : -1),
    );
  }

  /** Whether there are imports to compile a catalogue of. */
  async hasSegments(): Promise<boolean> {
    return (await filesEnding(this.#segments, SEGMENT_ENDING)).length > 0;
  }

  /** Whether there is neither a catalogue nor an import. */
  async isEmpty(): Promise<boolean> {
    return (
      !(await this.hasSegments()) && (await filesEnding(this.#catalogues, CATALOGUE_ENDING)).length === 0
    );
  }

  /** Name of the catalogue in use; undefined before the first import, and if the pointer is lost or damaged. */
  async current(): Promise<string | undefined> {
    const name = await readPointer(this.#pointer);
    return name !== undefined && NAME.test(name) ? name : undefined;
  }

  /** Switches to a catalogue. Throws an `OperatorError` if there is none of that name, or while an import runs. */
  async use(name: string): Promise<void> {
    if (!NAME.test(name) || !(await exists(this.pathOf(name)))) {
      throw new OperatorError(`There is no catalogue "${name}"; \`larder catalogue list\` shows all.`);
    }
    const lock = this.#lock();
    try {
      await writePointer(this.#pointer, name);
    } catch (error) {
      throw fileError(`Cannot write ${this.#pointer}`, error);
    } finally {
      lock.release();
    }
  }

  #lock(): ProcessLock {
    return ProcessLock.acquire({
      file: this.#lockFile,
      refusal: (holder) => `Another import is running${holder}. Wait for it to end, or stop it.`,
    });
  }

  /** The path of a catalogue's file. */
  pathOf(name: string): string {
    return join(this.#catalogues, name + CATALOGUE_ENDING);
  }

  /**
   * Calls `onChange` with the name within two seconds after another catalogue than `known` becomes active, in any
   * process; at once if that was before the call.
   */
  watch(known: string | undefined, onChange: (name: string) => void): { close(): void } {
    return watchPointer(this.#pointer, known, onChange);
  }

  /**
   * Begins an import and removes leftovers of a crashed one. Throws an `OperatorError` if another one runs in any
   * process, or if the disk has no more than its reserve free. It builds on the catalogue `name`, by default the one in use.
   */
  async beginImport(name?: string): Promise<ImportWorkspace> {
    await this.#makeFolders();
    const lock = this.#lock();
    try {
      const before = await this.#segmentFiles();
      await this.#removeLeftovers(before);
      this.#disk?.requireRoomNow('another catalogue');
      const base = name ?? (await this.current());
      return new ImportWorkspace({
        disk: this.#disk,
        words: this.#readWords(),
        segments: await this.#segmentsOf(base),
        facts: await this.#factsOf(base),
        stamp: utcStamp(this.#nowMs()),
        segmentFolder: this.#segments,
        catalogueFolder: this.#catalogues,
        complete: (file, options) => this.#complete(file, options),
        release: () => this.#removeLeftovers(before).finally(() => lock.release()),
      });
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  async #makeFolders(): Promise<void> {
    try {
      await makeFolder(this.#catalogues);
      await makeFolder(this.#segments);
    } catch (error) {
      throw fileError(`Cannot make folders in ${dirname(this.#catalogues)}`, error);
    }
  }

  async #complete(file: string, { putInUse = true }: CompleteOptions): Promise<string> {
    const name = catalogueName(await readCatalogueInfo(file));
    await rename(file, this.pathOf(name));
    if (putInUse) await writePointer(this.#pointer, name);
    await this.#removeOld(name);
    return name;
  }

  /** `completed` is kept, even if a clock change makes it look the oldest. */
  async #removeOld(completed: string): Promise<void> {
    for (const { name, inUse } of (await this.list()).slice(KEPT_CATALOGUES)) {
      if (!inUse && name !== completed) await rm(this.pathOf(name), { force: true });
    }
  }

  /**
   * Removes temporary files, and segments of no catalogue. While a catalogue is lost or unreadable, those from before the import stay:
   * they may be needed to compile it again.
   */
  async #removeLeftovers(before: readonly string[]): Promise<void> {
    for (const folder of [this.#catalogues, this.#segments]) {
      for (const file of await readdir(folder)) {
        if (file.endsWith('.tmp')) await rm(join(folder, file), { force: true });
      }
    }
    const catalogues = await this.list();
    const isAllKnown =
      catalogues.some(({ inUse }) => inUse) && catalogues.every(({ info }) => info !== undefined);
    const needed = new Set(catalogues.flatMap(({ info }) => info?.segments.map(({ name }) => name) ?? []));
    for (const file of await this.#segmentFiles()) {
      if (!needed.has(file) && (isAllKnown || !before.includes(file)))
        await rm(join(this.#segments, file), { force: true });
    }
  }

  /** Names begin with the time. */
  async #segmentFiles(): Promise<readonly string[]> {
    return (await filesEnding(this.#segments, SEGMENT_ENDING))
      .map((name) => name + SEGMENT_ENDING)
      .toSorted();
  }

  async #segmentsOf(catalogue: string | undefined): Promise<readonly WorkspaceSegment[]> {
    const info = catalogue && (await this.#describe(catalogue, true)).info;
    if (info) return info.segments.map(({ name, origin }) => ({ file: join(this.#segments, name), origin }));
    // The catalogue is damaged or lost: the next one is compiled from all existing segments.
    return (await this.#segmentFiles()).map((name) => describeSegment(join(this.#segments, name)));
  }

  /** The facts of segments, which catalogues keep. If several have them, those of `base` are taken. */
  async #factsOf(base: string | undefined): Promise<ReadonlyMap<string, FactsSource>> {
    const names = await filesEnding(this.#catalogues, CATALOGUE_ENDING);
    const facts = new Map<string, FactsSource>();
    for (const name of names.toSorted((a, b) => Number(a === base) - Number(b === base))) {
      const file = this.pathOf(name);
      const sections = await readCatalogueSections(file).catch(() => []);
      for (const { name: section, offset, length } of sections) {
        if (!section.startsWith(SEGMENT_FACTS_PREFIX)) continue;
        facts.set(section.slice(SEGMENT_FACTS_PREFIX.length), { file, offset, length });
      }
    }
    return facts;
  }

  async #describe(name: string, inUse: boolean): Promise<ListedCatalogue> {
    try {
      return { name, inUse, info: await readCatalogueInfo(this.pathOf(name)) };
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      return { name, inUse, problem: error.message };
    }
  }
}

function describeSegment(file: string): WorkspaceSegment {
  const reader = SegmentReader.open(file);
  reader.close();
  return { file, origin: reader.summary.origin };
}

async function filesEnding(folder: string, ending: string): Promise<string[]> {
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length));
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() === true;
}
