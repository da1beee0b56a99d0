import { basename, join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import type { Config } from '../../config/config.ts';
import type { SegmentSlice } from '../../foods/catalogue/segment.ts';
import type { CatalogueStore } from '../../foods/compile/catalogue-store.ts';
import { openFdcSource } from '../../foods/import/fdc/source.ts';
import {
  type ExportFetch,
  type FetchedExport,
  fetchExport,
  fetchText,
} from '../../foods/import/fetch-export.ts';
import type { ExportSourceName } from '../../foods/import/import-job.ts';
import type { ImportProgress } from '../../foods/import/import-progress.ts';
import type { ImportSource } from '../../foods/import/import-run.ts';
import { expectedSize } from '../../foods/import/off/expected-size.ts';
import { openSlice, type SliceFilter } from '../../foods/import/off/slice.ts';
import { readOffFile } from '../../foods/import/off/source.ts';
import { inspectSourceFile } from '../../foods/import/readers/source-file.ts';
import { OutgoingAddresses } from '../../outgoing/outgoing-addresses.ts';
import { removeDownload } from '../../outgoing/partial-file.ts';
import { openDisk } from '../data-folder.ts';

const ADDRESS = { off: 'offExportUrl', fdc: 'fdcExportUrl' } as const satisfies Record<string, keyof Config>;

/** Opens an export of a source. Throws an `OperatorError` for a file in another format. */
export const OPEN_SOURCE: Readonly<
  Record<ExportSourceName, (path: string, filter?: SliceFilter) => Promise<ImportSource>>
> = {
  async off(path, filter) {
    const file = await inspectSourceFile(path);
    return {
      name: file.name,
      sizeBytes: file.sizeBytes,
      ...(filter && {
        expected: (onBytesRead, signal) => expectedSize(file, filter, { onBytesRead, signal }),
      }),
      read: (sink, onBytesRead, signal) => readOffFile(file, sink, { onBytesRead, signal, filter }),
    };
  },
  async fdc(path) {
    const source = await openFdcSource(path);
    return {
      name: basename(path),
      sizeBytes: source.sizeBytes,
      async read(sink, onBytesRead, signal) {
        try {
          await source.read(sink, { onBytesRead, signal });
        } finally {
          source.close();
        }
      },
    };
  },
};

/** Name of a file of changes between two times, in Unix seconds. */
const DELTA = /^openfoodfacts_products_(\d+)_(\d+)\.json\.gz$/;
/** An export is made each day, and holds the products of some time before its import. */
const OVERLAP_S = 2 * 86_400;

/** The files of an import. */
export interface ImportFiles {
  readonly sources: readonly ImportSource[];
  /** The part of the source that they are filtered by. */
  readonly slice?: SegmentSlice | undefined;
  /** The name of the table among those of the origin `table`. */
  readonly table?: string;
  /** The downloaded files. */
  readonly fetched?: Pick<FetchedExport, 'file' | 'remove'>;
  /** Whether they are a complete export, which replaces older imports of the source. */
  readonly isWhole?: boolean;
}

export interface NewestExport extends Pick<ExportFetch, 'onTrouble'> {
  readonly config: Config;
  readonly origin: ExportSourceName;
  readonly progress: ImportProgress;
  /** The part of Open Food Facts to import. */
  readonly filter?: SliceFilter | undefined;
}

/**
 * Downloads the newest complete export of a source into the data folder, and opens it; an interrupted
 * download resumes.
 */
export async function openNewestExport(newest: NewestExport): Promise<ImportFiles> {
  const fetched = await fetchNewestExport(newest);
  try {
    const sources = [await OPEN_SOURCE[newest.origin](fetched.file, newest.filter)];
    return { sources, slice: newest.filter?.slice, fetched, isWhole: true };
  } catch (error) {
    // Delete the file, because the next run would consider it complete and fail again.
    await fetched.remove();
    throw error;
  }
}

/**
 * Downloads what changed in Open Food Facts since the last import, of the same part of it. Throws an `OperatorError` without an
 * import, and if the list of changes does not reach back so far.
 */
export async function openOffUpdate(
  catalogueStore: CatalogueStore,
  { config, progress, onTrouble }: Pick<NewestExport, 'config' | 'progress' | 'onTrouble'>,
): Promise<ImportFiles> {
  const inUse = (await catalogueStore.list()).find((each) => each.inUse);
  const newest = inUse?.info?.segments.findLast(({ origin }) => origin === 'off');
  if (newest === undefined)
    throw new OperatorError('Nothing of Open Food Facts is imported yet, so there is nothing to update.');
  const { importedAt, slice } = newest;
  const names = await changesSince(config, importedAt - OVERLAP_S);
  const folder = join(config.dataDir, 'downloads', 'off');
  const remove = () => Promise.all(names.map((name) => removeDownload(join(folder, name)))).then(() => {});
  const filter = slice && openSlice(slice);
  const sources: ImportSource[] = [];
  for (const name of names) {
    const address = new URL(name, config.offDeltaUrl).href;
    const { file } = await fetchFrom({ config, origin: 'off', progress, onTrouble }, address);
    sources.push(await OPEN_SOURCE.off(file, filter));
  }
  return { sources, slice, fetched: { file: folder, remove } };
}

/** The names of the files of changes since a time in Unix seconds, oldest first. */
async function changesSince(config: Config, since: number): Promise<readonly string[]> {
  const index = new URL(config.offDeltaUrl);
  const addresses = new OutgoingAddresses({ allowed: config.outgoingNetworks });
  const list = await fetchText(index, { reach: { home: index, addresses } }).catch((cause) => {
    throw new OperatorError(`Could not read the list of changes ${index}: ${(cause as Error).message}.`, {
      cause,
    });
  });
  const changes = list.split(/\s+/).flatMap((name) => {
    const [, from, to] = DELTA.exec(name) ?? [];
    return from === undefined ? [] : [{ name, from: Number(from), to: Number(to) }];
  });
  const first = Math.min(...changes.map(({ from }) => from));
  if (first <= since)
    return changes
      .filter(({ to }) => to > since)
      .toSorted((a, b) => a.from - b.from)
      .map(({ name }) => name);
  const day = new Date(since * 1_000).toISOString().slice(0, 10);
  throw new OperatorError(
    `The list of changes ${index} does not reach back to ${day}: import Open Food Facts again, as a whole.`,
  );
}

function fetchNewestExport(newest: NewestExport): Promise<FetchedExport> {
  return fetchFrom(newest, newest.config[ADDRESS[newest.origin]]);
}

async function fetchFrom(
  { config, origin, progress, onTrouble }: NewestExport,
  address: string,
): Promise<FetchedExport> {
  let totalBytes: number | undefined;
  try {
    return await fetchExport({
      origin,
      address,
      addresses: new OutgoingAddresses({ allowed: config.outgoingNetworks }),
      folder: join(config.dataDir, 'downloads'),
      disk: openDisk(config),
      onProgress(at) {
        if (totalBytes === undefined) {
          totalBytes = at.totalBytes ?? 0;
          progress.begin(`Fetching ${address}`, totalBytes);
        }
        progress.update(at.receivedBytes, 0);
      },
      onTrouble,
    });
  } finally {
    progress.end();
  }
}
