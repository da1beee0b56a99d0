import { createReadStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { OperatorError } from '@larder/core/errors.ts';
import { loadCatalogue, openCatalogueStore } from '../../app/catalogue-store.ts';
import { requireDataFolder } from '../../app/data-folder.ts';
import { MAX_OBJECT_BYTES } from '../../blobs/object-store.ts';
import type { Config } from '../../config/config.ts';
import { readError } from '../../files/file-errors.ts';
import { Catalogue } from '../../foods/catalogue/catalogue.ts';
import type { CatalogueStore } from '../../foods/compile/catalogue-store.ts';
import { commandConfig } from './command-config.ts';
import type { Terminal } from './terminal.ts';

/** The catalogue store of a command. Throws an `OperatorError` if the data folder is not one of Larder. */
export function openOwnCatalogueStore(config: Config): CatalogueStore {
  requireDataFolder(config);
  return openCatalogueStore(config);
}

/** The file of a command: a name in the catalogue store, a path, or the catalogue in use by default. */
export async function chosenFile(config: Config, nameOrFile: string | undefined): Promise<string> {
  const catalogueStore = openCatalogueStore(config);
  if (nameOrFile === undefined) {
    requireDataFolder(config);
    const current = await catalogueStore.current();
    if (current === undefined) {
      throw new OperatorError('No catalogue is in use yet; `larder import` makes the first one.');
    }
    return catalogueStore.pathOf(current);
  }
  const isPath = /[\\/]/.test(nameOrFile);
  const stored = catalogueStore.pathOf(nameOrFile);
  if (!isPath && existsSync(stored)) return stored;
  if (existsSync(nameOrFile)) return resolve(nameOrFile);
  if (isPath) throw readError(nameOrFile, { code: 'ENOENT' });
  throw new OperatorError(
    `"${nameOrFile}" is neither a stored catalogue (\`larder catalogue list\` shows them) nor a file.`,
  );
}

/** The catalogue of a command, as a service with this configuration uses it. */
export async function openChosenCatalogue(
  terminal: Terminal,
  nameOrFile: string | undefined,
): Promise<Catalogue> {
  const { config } = commandConfig(terminal);
  const file = await chosenFile(config, nameOrFile);
  return Catalogue.open(await loadCatalogue(config, file), file);
}

/** The reason why a file could not be read. */
export interface UnreadFile {
  readonly code: 'file_unreadable';
  /** One sentence for the user who named the file. */
  readonly message: string;
}

/** Reads at most one byte more than the maximum image size: enough to reject larger and endless files. */
export async function readImageFile(file: string): Promise<Buffer<ArrayBuffer> | UnreadFile> {
  try {
    return await buffer(createReadStream(file, { end: MAX_OBJECT_BYTES }));
  } catch (error) {
    const reason = readError(file, error);
    if (!(reason instanceof OperatorError)) throw error;
    return { code: 'file_unreadable', message: reason.message };
  }
}
