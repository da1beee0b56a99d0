import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..', '..');
const CLIENT = join(ROOT, 'packages', 'client');
const DIST = join(CLIENT, 'dist');

/** Compiles the client into a folder: JavaScript modules and their declarations. */
export async function buildClient(folder = DIST): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  await promisify(execFile)(process.execPath, [compiler, '-p', CLIENT, '--outDir', folder]);
}

/** Builds the client and packs it as `npm publish` would. Returns the path of the package. */
export async function packClient(folder: string): Promise<string> {
  await buildClient();
  const words = ['pack', '--json', '--pack-destination', folder];
  const { stdout } = await promisify(execFile)('npm', words, { cwd: CLIENT });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(folder, filename);
}

if (import.meta.main) await buildClient();
