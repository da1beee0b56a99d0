import { join } from 'node:path';
import type { FirstKeyFile } from '../../access/first-key.ts';
import { keepPrivateFile } from './private-file.ts';

const FIRST_KEY_FILE = 'first-key.txt';

/** `<data folder>/first-key.txt`, readable by its owner only, holding the key and nothing else. */
export function firstKeyFile(dataDir: string): FirstKeyFile {
  const path = join(dataDir, FIRST_KEY_FILE);
  return { path, keep: (text) => keepPrivateFile(path, text) };
}
