import { join } from 'node:path';
import { openDisk } from '../../app/data-folder.ts';
import type { Config } from '../../config/config.ts';
import { type FetchedExport, fetchExport } from '../../foods/import/fetch-export.ts';
import type { ImportSource } from '../../foods/import/import-run.ts';
import { OutgoingAddresses } from '../../outgoing/outgoing-addresses.ts';
import type { ProgressReporter } from '../terminal/progress.ts';
import { type Terminal, tell } from '../terminal/terminal.ts';
import type { ImportFiles } from './import-session.ts';

const ADDRESS = { off: 'offExportUrl', fdc: 'fdcExportUrl' } as const satisfies Record<string, keyof Config>;

export interface NewestExport {
  readonly terminal: Terminal;
  readonly config: Config;
  readonly origin: keyof typeof ADDRESS;
  readonly progress: ProgressReporter;
}

/** Downloads the newest full export of a source and opens it. */
export async function openNewestExport(
  newest: NewestExport,
  open: (file: string) => Promise<ImportSource>,
): Promise<ImportFiles> {
  const fetched = await fetchNewestExport(newest);
  try {
    return { sources: [await open(fetched.file)], fetched };
  } catch (error) {
    // Otherwise the next run would consider the file complete and fail again.
    await fetched.remove();
    throw error;
  }
}

/** Downloads into the data folder; an interrupted download resumes. */
async function fetchNewestExport({
  terminal,
  config,
  origin,
  progress,
}: NewestExport): Promise<FetchedExport> {
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
      onTrouble: (message) => tell(terminal, `${message}\n`),
    });
  } finally {
    progress.end();
  }
}
