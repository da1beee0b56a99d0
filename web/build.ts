/**
 * Builds the page and the package of the client into `web/dist`, with a copy of each document for addresses in a folder, a compressed copy of each file, and `files.json`, which lists them. Does nothing if that
 * was done. Needs the packages of `web/package.json` alone.
 *
 *     node web/build.ts
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Rolldown } from 'vite';
import { CLIENT_PACKAGE, clientPackage } from './client-package.ts';
import { LANGUAGE_CODES } from './src/texts/languages.ts';

const WEB = import.meta.dirname;
const CLIENT = join(WEB, '../packages/client/src');
const CONSOLE = join(WEB, 'src/console/');
const DIST = join(WEB, 'dist');
const LIST = 'files.json';
const DOCUMENTS = ['index.html', 'console.html'];
/** The service worker is no part of the bundle: its address must stay, and it lists what was bundled. */
const WORKER = join(WEB, 'src/offline/service-worker.ts');
const MANIFEST = 'manifest.webmanifest';
/** What the diary needs to start without the service, beside its scripts and styles. */
const KEPT_BY_WORKER = ['icon.svg', 'icon-192.png', MANIFEST];
/** Smaller files are not worth a second copy. */
const MIN_COMPRESSED = 500;
/** Larger files are compressed in a tenth of a second instead of three, and are an eighth larger for it. */
const MAX_THOROUGH = 262_144;
const LARGE_QUALITY = 9;
const COMPRESSIBLE = /\.(?:html|js|css|svg|json|webmanifest|wasm)$/;

if (import.meta.main && !isBuilt()) await build();

/** Whether the page is there and its sources are the same. */
export function isBuilt(): boolean {
  const list = join(DIST, LIST);
  return existsSync(list) && JSON.parse(readFileSync(list, 'utf8')).sources === hashOfSources();
}

/** Builds beside the folder and swaps, so that a service that is running never finds half a page. */
async function build(): Promise<void> {
  const sources = hashOfSources();
  // The page is the same whoever starts the build: Vite reads this.
  process.env['NODE_ENV'] = 'production';
  const { build: bundle, transformWithOxc, minify } = await import('vite');
  const outDir = join(WEB, `.dist-${process.pid}`);
  const built = await bundle({
    configFile: false,
    root: WEB,
    base: './',
    logLevel: 'warn',
    resolve: { alias: { 'larder-client': join(CLIENT, 'index.ts') } },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: DOCUMENTS.map((page) => join(WEB, page)),
        output: {
          // The diary keeps nothing of the console for later.
          chunkFileNames: ({ moduleIds }) =>
            `assets/${moduleIds.some((id) => id.startsWith(CONSOLE)) ? 'console-' : ''}[name]-[hash:7].js`,
        },
      },
    },
  });
  const source = readFileSync(WORKER, 'utf8');
  const { code } = await transformWithOxc(source, WORKER);
  const kept = [...KEPT_BY_WORKER, ...assetsOf('index.html', (built as Rolldown.RolldownOutput).output)];
  const start = `const FILES = ${JSON.stringify(kept)}, VERSION = '${sources.slice(0, 16)}';`;
  writeFileSync(join(outDir, 'sw.js'), (await minify('sw.js', `${start}\n${code}`)).code);
  const manifest = JSON.parse(readFileSync(join(outDir, MANIFEST), 'utf8'));
  for (const lang of LANGUAGE_CODES) {
    const { description, shortcuts } = (await import(`./src/installed/texts/${lang}.ts`)).texts;
    const named = manifest.shortcuts.map((shortcut: object, at: number) => ({
      ...shortcut,
      name: shortcuts[at],
    }));
    const text = JSON.stringify({ ...manifest, lang, description, shortcuts: named });
    writeFileSync(join(outDir, `${lang}.${MANIFEST}`), text);
  }
  // All addresses in a document are relative, so that it works under any path.
  for (const name of DOCUMENTS) {
    const text = readFileSync(join(outDir, name), 'utf8');
    writeFileSync(join(outDir, `nested-${name}`), text.replaceAll('"./', '"../'));
  }
  writeFileSync(join(outDir, CLIENT_PACKAGE), await clientPackage());
  const files = Object.fromEntries(namesIn(outDir).map((name) => [name, compress(join(outDir, name))]));
  writeFileSync(join(outDir, LIST), JSON.stringify({ sources, files }, undefined, 2));
  const replaced = `${outDir}-replaced`;
  mkdirSync(DIST, { recursive: true });
  renameSync(DIST, replaced);
  renameSync(outDir, DIST);
  rmSync(replaced, { recursive: true });
}

/** Names of the scripts and styles that a document leads to, those of views that it loads later included. */
function assetsOf(document: string, output: Rolldown.RolldownOutput['output']): string[] {
  const chunks = new Map(output.flatMap((each) => (each.type === 'chunk' ? [[each.fileName, each]] : [])));
  const entry = output.find((each) => each.type === 'chunk' && each.facadeModuleId?.endsWith(`/${document}`));
  const names = new Set([entry!.fileName]);
  for (const name of names) {
    const chunk = chunks.get(name);
    const { imports = [], dynamicImports = [], viteMetadata } = chunk ?? {};
    for (const each of [...imports, ...dynamicImports, ...(viteMetadata?.importedCss ?? [])]) names.add(each);
  }
  return [...names];
}

/** Paths of all files below a folder. */
function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}

/** Writes the copies; returns the sizes. */
function compress(file: string): { bytes: number; gzip?: number; br?: number } {
  const content = readFileSync(file);
  if (!COMPRESSIBLE.test(file) || content.length < MIN_COMPRESSED) return { bytes: content.length };
  const gzip = gzipSync(content, { level: 9 });
  const br = brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]:
        content.length > MAX_THOROUGH ? LARGE_QUALITY : constants.BROTLI_MAX_QUALITY,
    },
  });
  writeFileSync(`${file}.gz`, gzip);
  writeFileSync(`${file}.br`, br);
  return { bytes: content.length, gzip: gzip.length, br: br.length };
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  const files = [
    ...[
      'build.ts',
      'client-package.ts',
      ...DOCUMENTS,
      'package.json',
      '../package.json',
      '../packages/client/package.json',
    ].map((file) => join(WEB, file)),
    ...globSync('{src,public}/**/*.*', { cwd: WEB }).map((file) => join(WEB, file)),
    ...globSync('**/*.ts', { cwd: CLIENT }).map((file) => join(CLIENT, file)),
  ];
  for (const file of files.toSorted()) hash.update(file.slice(WEB.length)).update(readFileSync(file));
  return hash.digest('hex');
}
