// Loads TypeScript as JavaScript that an earlier start has kept beside the packages, where nobody but their owner can change it.
// Node strips the types itself, but in each thread anew, with 7 MB of code; and its compile cache, which would spare that, keeps
// 7 MB in each thread. Comments are left out, too: each thread keeps the text of each module, in twice the bytes where one letter
// is beyond Latin-1. A file is named after a hash of the TypeScript, so that it is never out of date.
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
    // zod links its messages in sixty languages, of which none but English is shown: 0.8 MB in each thread.
    if (url.endsWith('/zod/v4/locales/index.js')) {
      return { format: 'module', shortCircuit: true, source: "export { default as en } from './en.js';" };
    }
    const loaded = nextLoad(url, context);
    // Dashes in its comments are beyond Latin-1: 0.4 MB in each thread.
    if (loaded.format === 'module' && url.includes('/node_modules/zod/')) {
      return { ...loaded, source: withoutComments(loaded.source.toString()) };
    }
    if (loaded.format !== 'module-typescript') return loaded;
    return { ...loaded, format: 'module', source: stripped(loaded.source) };
  },
});

/** @param {Buffer} typeScript */
function stripped(typeScript) {
  const hash = createHash('sha256')
    .update(`${process.version} without comments`)
    .update(typeScript)
    .digest('hex');
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
    return withoutComments(module.stripTypeScriptTypes(typeScript));
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * Empties the lines that hold nothing but comments, and cuts the spaces that stand for types at the end of lines. Lines keep their
 * numbers, for stack traces.
 *
 * @param {string} javaScript
 */
export function withoutComments(javaScript) {
  const onlyBreaks = (text) => text.replaceAll(/[^\n]+/g, '');
  return javaScript
    .replaceAll(/^[ \t]*\/\*(?:[^*]|\*(?!\/))*\*\/[ \t]*$/gm, onlyBreaks)
    .replaceAll(/^[ \t]*\/\/.*$/gm, '')
    .replaceAll(/[ \t]+$/gm, '');
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
