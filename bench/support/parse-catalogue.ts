import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LARDER = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const SURVEY = fileURLToPath(new URL('../../../shared/data/fdc/survey', import.meta.url));

/** Segments of the foods that ship and of USDA's survey foods, imported into `folder` as the command does. */
export function importSurvey(folder: string): string[] {
  const { status, stderr } = spawnSync(process.execPath, [LARDER, 'import', 'fdc', SURVEY], {
    env: { ...process.env, LARDER_DATA_DIR: folder },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the import failed: ${stderr}`);
  return segmentsOf(folder);
}

/** What was imported into a data folder. */
export function segmentsOf(folder: string): string[] {
  const segments = join(folder, 'segments');
  return readdirSync(segments)
    .sort()
    .map((name) => join(segments, name));
}
