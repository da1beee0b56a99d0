import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const CLIENT = join(import.meta.dirname, '../packages/client');
const ROOT = join(import.meta.dirname, '..');
export const CLIENT_PACKAGE = 'larder-client.tgz';
const OWN_IMPORT = /(from |import\()"(\.{1,2}\/[^"]+)\.ts"/g;
/** Fields of the manifest that only this repository reads. */
const OF_REPOSITORY = ['scripts', 'size-limit'];

/** The version of the client: that of the service. */
export function clientVersion(): string {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
}

/** The files of the npm package by their paths in it: the manifest, and JavaScript with declarations for each source. */
export async function clientFiles(): Promise<ReadonlyMap<string, string>> {
  const { isolatedDeclaration, transform } = await import('rolldown/experimental');
  const manifest = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'));
  const kept = Object.entries({ ...manifest, version: clientVersion() }).filter(
    ([name]) => !OF_REPOSITORY.includes(name),
  );
  const files = new Map([['package.json', `${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`]]);
  for (const name of ['README.md', 'LICENSE']) files.set(name, readFileSync(join(CLIENT, name), 'utf8'));
  for (const name of globSync('**/*.ts', { cwd: join(CLIENT, 'src') }).toSorted()) {
    if (name.endsWith('.test.ts')) continue;
    const source = readFileSync(join(CLIENT, 'src', name), 'utf8');
    const [script, declaration] = await Promise.all([
      transform(name, source, {
        typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: 'rewrite' },
      }),
      isolatedDeclaration(name, source),
    ]);
    const [problem] = [...script.errors, ...declaration.errors];
    if (problem !== undefined) throw new Error(`${name}: ${problem.message}`);
    const path = `dist/${name.slice(0, -'.ts'.length)}`;
    files.set(`${path}.js`, script.code);
    files.set(`${path}.d.ts`, declaration.code.replace(OWN_IMPORT, '$1"$2.js"'));
  }
  return files;
}

/** The package as `npm install` takes it. The same sources give the same bytes. */
export async function clientPackage(): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for (const [path, text] of await clientFiles()) {
    const content = Buffer.from(text);
    blocks.push(
      tarHeader(`package/${path}`, content.length),
      content,
      Buffer.alloc(-content.length & (BLOCK - 1)),
    );
  }
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
}

const BLOCK = 512;
const CHECKSUM = { at: 148, bytes: 8 };
const MODE = 0o644;
/** The time of npm's own packages, in seconds: packers before 1980 are not supported everywhere. */
const TIME_S = 499_162_500;

/** A header of a regular file in the format ustar (POSIX.1-1988). */
function tarHeader(path: string, bytes: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at);
  if (header.write(path, 0, 100) < Buffer.byteLength(path))
    throw new Error(`${path} is too long for a package`);
  octal(MODE, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(bytes, 124, 12);
  octal(TIME_S, 136, 12);
  header.fill(' ', CHECKSUM.at, CHECKSUM.at + CHECKSUM.bytes);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, CHECKSUM.at);
  return header;
}
