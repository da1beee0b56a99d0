import type { DiskReserve } from '../../files/disk-reserve.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { isReadableCatalogue, READABLE_CATALOGUES } from '../file/format.ts';
import type { CatalogueCopies } from './catalogue-cache.ts';
import type { CatalogueVersions } from './catalogue-versions.ts';
import { onDisk } from './disk-problem.ts';
import { fetchCatalogue } from './fetch-catalogue.ts';
import { COPY_PROBLEMS, CopyProblem, toCopyProblem } from './fetch-problem.ts';
import type { CatalogueVersion } from './published-versions.ts';

export interface CopyFetcherPorts {
  readonly versions: Pick<CatalogueVersions, 'find'>;
  readonly objects: Pick<ObjectStore, 'read'>;
  readonly copies: CatalogueCopies;
  /** Of the folder of the copies. */
  readonly disk: DiskReserve;
}

/** Fetches copies of published catalogues, and counts the results. */
export class CopyFetcher {
  readonly #ports: CopyFetcherPorts;
  readonly #results = new Map<string, number>(['fetched', ...COPY_PROBLEMS].map((result) => [result, 0]));
  /** What has arrived of the latest copy, for the next attempt to continue. */
  #incoming: { readonly name: string; readonly file: string } | undefined;

  constructor(ports: CopyFetcherPorts) {
    this.#ports = ports;
  }

  /** Attempts so far, by how they ended: `fetched`, or the code of the problem. */
  get results(): ReadonlyMap<string, number> {
    return this.#results;
  }

  /** Resolves when there is a copy. Throws a `CopyProblem`, or the reason of `signal`. */
  async fetch(name: string, signal: AbortSignal): Promise<void> {
    try {
      const version = await this.#find(name);
      await onDisk(version.bytes, () => this.#copy(version, signal));
      this.count('fetched');
    } catch (error) {
      signal.throwIfAborted();
      const problem = toCopyProblem(error);
      this.count(problem.code);
      throw problem;
    }
  }

  /** Makes the next `fetch` verify every part of this copy, and fetch the damaged ones again. */
  async doubt(name: string): Promise<void> {
    this.#incoming = { name, file: await this.#ports.copies.withdraw(name) };
  }

  count(result: string): void {
    this.#results.set(result, this.#results.get(result)! + 1);
  }

  async #copy(version: CatalogueVersion, signal: AbortSignal): Promise<void> {
    const { copies, objects, disk } = this.#ports;
    const { name } = version;
    if (this.#incoming?.name !== name) {
      this.#incoming = { name, file: await copies.newFile(name) };
    }
    const { file } = this.#incoming;
    await fetchCatalogue({ version, file, objects, disk, signal });
    await copies.adopt(file, name);
    this.#incoming = undefined;
  }

  async #find(name: string): Promise<CatalogueVersion> {
    const version = await this.#ports.versions.find(name).catch((cause) => {
      throw new CopyProblem('database_unavailable', 'the database does not answer', { cause });
    });
    if (version === undefined) throw new CopyProblem('missing', 'it is not published any more');
    const { formatVersion } = version;
    if (!isReadableCatalogue(formatVersion)) {
      const needed = `it has format version ${formatVersion}, and this Larder reads ${READABLE_CATALOGUES}`;
      throw new CopyProblem('unsupported_format', needed);
    }
    return version;
  }
}
