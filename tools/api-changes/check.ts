/**
 * Compares the OpenAPI documents with those of the last release and exits with 1 if a client of that release would
 * break, if the frozen document of the unversioned paths has changed, or if somebody changed what was released.
 * `--release` then makes the documents those of the last release. Other folders are for tests.
 *
 *     npm run api-changes [-- --release] [-- documents released]
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DOCUMENT_FILES } from '../../src/http/openapi/document-files.ts';
import { ALLOWED } from './allowed.ts';
import { breakingChanges } from './api-changes.ts';
import { frozenChanges } from './frozen.ts';

const { values, positionals } = parseArgs({
  options: { release: { type: 'boolean' } },
  allowPositionals: true,
});
const [folder = join(import.meta.dirname, '../..'), releasedFolder = import.meta.dirname] = positionals;
/** As `sha256sum` writes and checks them. */
const checksums = join(releasedFolder, 'released.sha256');
const checksumOf = (text: string, file: string) =>
  `${createHash('sha256').update(text).digest('hex')}  released-${file}\n`;

const known = await readFile(checksums, 'utf8');
const problems: string[] = [];
const written: string[] = [];
for (const [variant, file] of Object.entries(DOCUMENT_FILES)) {
  const released = await readFile(join(releasedFolder, `released-${file}`), 'utf8');
  const text = await readFile(join(folder, file), 'utf8');
  const [before, after] = [JSON.parse(released), JSON.parse(text)];
  if (!known.includes(checksumOf(released, file)))
    problems.push(`released-${file} is not the document of the last release; take it from there.`);
  problems.push(...breakingChanges(before, after, ALLOWED));
  if (variant === 'unversioned') problems.push(...frozenChanges(before, after));
  written.push(text);
}
if (problems.length > 0) {
  console.error(`Clients of the last release break:\n${problems.map((line) => `  ${line}\n`).join('')}`);
  process.exitCode = 1;
} else if (values.release === true) {
  const files = Object.values(DOCUMENT_FILES).map((file, at) => ({ file, text: written[at]! }));
  for (const { file, text } of files) await writeFile(join(releasedFolder, `released-${file}`), text);
  await writeFile(checksums, files.map(({ file, text }) => checksumOf(text, file)).join(''));
  console.log('These are the documents of the last release now.');
} else console.log('No change breaks clients of the last release.');
