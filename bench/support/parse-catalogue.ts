import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LARDER = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const FDC = fileURLToPath(new URL('../../../shared/data/fdc', import.meta.url));

/** Segments of the foods that ship and of these tables of USDA, imported into `folder` as the command does. */
export function importFdc(folder: string, tables: readonly string[]): string[] {
  for (const table of tables) {
    const { status, stderr } = spawnSync(process.execPath, [LARDER, 'import', 'fdc', join(FDC, table)], {
      env: { ...process.env, LARDER_DATA_DIR: folder },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`the import failed: ${stderr}`);
  }
  return segmentsOf(folder);
}

/** What was imported into a data folder. */
export function segmentsOf(folder: string): string[] {
  const segments = join(folder, 'segments');
  return readdirSync(segments)
    .sort()
    .map((name) => join(segments, name));
}
