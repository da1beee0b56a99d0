import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const names = readdirSync(here)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -'.ts'.length));
const [name, ...rest] = process.argv.slice(2);

if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run bench -- NAME [options]\nNAME is one of: ${names.join(', ')}`);
  process.exit(name === undefined ? 0 : 1);
}
const run = spawnSync(process.execPath, ['--expose-gc', join(here, `${name}.ts`), ...rest], {
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
