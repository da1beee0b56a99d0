import { join } from 'node:path';
import { type FetchedExport, fetchExport } from '../catalogue/import/fetch/fetch-export.ts';
import type { Config } from '../config.ts';
import type { ProgressReporter } from './progress.ts';
import type { Terminal } from './terminal.ts';

const ADDRESS = { off: 'offExportUrl', fdc: 'fdcExportUrl' } as const satisfies Record<string, keyof Config>;

/** Brings the newest full export of a source into the data folder. A break costs only what was missing. */
export async function fetchNewestExport(
  terminal: Terminal,
  config: Config,
  origin: keyof typeof ADDRESS,
  progress: ProgressReporter,
): Promise<FetchedExport> {
  const address = config[ADDRESS[origin]];
  let totalBytes: number | undefined;
  try {
    return await fetchExport({
      origin,
      address,
      folder: join(config.dataDir, 'downloads'),
      onProgress(at) {
        if (totalBytes === undefined) {
          totalBytes = at.totalBytes ?? 0;
          progress.begin(`Fetching ${address}`, totalBytes);
        }
        progress.update(at.receivedBytes, 0);
      },
      onTrouble: (message) => terminal.err.write(`${message}\n`),
    });
  } finally {
    progress.end();
  }
}
