import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { clientFiles, clientPackage, clientVersion } from '../../web/client-package.ts';

const CLIENT = join(import.meta.dirname, '..', '..', 'packages', 'client');

/** Writes the client's JavaScript modules and their declarations into a folder. */
export async function buildClient(folder = join(CLIENT, 'dist')): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [path, text] of await clientFiles()) {
    if (!path.startsWith('dist/')) continue;
    const file = join(folder, path.slice('dist/'.length));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Builds the client, and writes its package into a folder. Returns the path of the package. */
export async function packClient(folder: string): Promise<string> {
  await buildClient();
  const path = join(folder, `larder-client-${clientVersion()}.tgz`);
  await writeFile(path, await clientPackage());
  return path;
}

if (import.meta.main) process.stdout.write(`${await packClient(CLIENT)}\n`);
