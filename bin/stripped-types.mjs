// Loads TypeScript as JavaScript that an earlier start has kept beside the packages, where nobody but their owner can change it.
// Node strips the types itself, but in each thread anew, with 7 MB of code; and its compile cache, which would spare that, keeps
// 7 MB in each thread. A file is named after a hash of the TypeScript, so that it is never out of date.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';

const root = dirname(import.meta.dirname);
// systemd names the folder of CacheDirectory.
const folder = join(process.env.CACHE_DIRECTORY ?? join(root, 'node_modules', '.cache'), 'stripped');

module.registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (loaded.format !== 'module-typescript') return loaded;
    return { ...loaded, format: 'module', source: stripped(loaded.source) };
  },
});

/** @param {Buffer} typeScript */
function stripped(typeScript) {
  const hash = createHash('sha256').update(process.version).update(typeScript).digest('hex');
  const file = join(folder, `${hash}.js`);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const javaScript = strip(typeScript.toString());
    keep(file, javaScript);
    return javaScript;
  }
}

/** Node says once that the function may change, which is of no interest to who starts this program. */
function strip(typeScript) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return module.stripTypeScriptTypes(typeScript);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Where nothing can be written, nothing is kept. */
function keep(file, javaScript) {
  const unfinished = `${file}.${process.pid}-${threadId}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(unfinished, javaScript);
    renameSync(unfinished, file);
  } catch {}
}
