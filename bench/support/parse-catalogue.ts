import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../src/foods/catalogue/load-catalogue.ts';
import { compileCatalogue } from '../../src/foods/compile/compile.ts';

const LARDER = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const FDC = fileURLToPath(new URL('../../../shared/data/fdc', import.meta.url));

/** Segments of the foods that ship and of these tables of USDA, imported into `folder` as the command does. */
export function importFdc(folder: string, tables: readonly string[]): string[] {
  for (const table of tables) importInto(folder, ['fdc', join(FDC, table)]);
  return segmentsOf(folder);
}

/** Runs `use` over the foods that ship and these tables of USDA. */
export async function withFoods(
  tables: readonly string[],
  use: (catalogue: Catalogue) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-bench-foods-'));
  try {
    if (tables.length === 0) importInto(folder, ['starter']);
    const segments = tables.length === 0 ? segmentsOf(folder) : importFdc(folder, tables);
    const out = join(folder, 'catalogue');
    await compileCatalogue({ segments, out, nowMs: Date.now });
    await use(Catalogue.open(await loadCatalogueImage(out)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function importInto(folder: string, source: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [LARDER, 'import', ...source], {
    env: { ...process.env, LARDER_DATA_DIR: folder },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the import failed: ${stderr}`);
}

/** The foods that were imported into a data folder. */
export function segmentsOf(folder: string): string[] {
  const segments = join(folder, 'segments');
  return readdirSync(segments)
    .sort()
    .map((name) => join(segments, name));
}
