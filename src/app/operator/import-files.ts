import { basename, join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { openFdcSource } from '../../foods/import/fdc/source.ts';
import { type ExportFetch, type FetchedExport, fetchExport } from '../../foods/import/fetch-export.ts';
import type { ImportSourceName } from '../../foods/import/import-job.ts';
import type { ImportProgress } from '../../foods/import/import-progress.ts';
import type { ImportSource } from '../../foods/import/import-run.ts';
import { expectedSize } from '../../foods/import/off/expected-size.ts';
import type { SliceFilter } from '../../foods/import/off/slice.ts';
import { readOffFile } from '../../foods/import/off/source.ts';
import { inspectSourceFile } from '../../foods/import/readers/source-file.ts';
import { OutgoingAddresses } from '../../outgoing/outgoing-addresses.ts';
import { openDisk } from '../data-folder.ts';

const ADDRESS = { off: 'offExportUrl', fdc: 'fdcExportUrl' } as const satisfies Record<string, keyof Config>;

/** Opens an export of a source. Throws an `OperatorError` for a file in another format. */
export const OPEN_SOURCE: Readonly<
  Record<ImportSourceName, (path: string, filter?: SliceFilter) => Promise<ImportSource>>
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

/** The files of an import. */
export interface ImportFiles {
  readonly sources: readonly ImportSource[];
  /** The downloaded complete export, which replaces older imports of the source. */
  readonly fetched?: FetchedExport;
}

export interface NewestExport extends Pick<ExportFetch, 'onTrouble'> {
  readonly config: Config;
  readonly origin: ImportSourceName;
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
    return { sources: [await OPEN_SOURCE[newest.origin](fetched.file, newest.filter)], fetched };
  } catch (error) {
    // Delete the file, because the next run would consider it complete and fail again.
    await fetched.remove();
    throw error;
  }
}

async function fetchNewestExport({ config, origin, progress, onTrouble }: NewestExport) {
  const address = config[ADDRESS[origin]];
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
