/**
 * Compares the OpenAPI documents with those of the last release and exits with 1 if a client of that release would
 * break, or if the frozen document of the unversioned paths has changed. A release replaces the documents here.
 *
 *     npm run api-changes
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DOCUMENT_FILES } from '../../src/http/openapi/document-files.ts';
import { ALLOWED } from './allowed.ts';
import { type ApiDocument, breakingChanges } from './api-changes.ts';
import { frozenChanges } from './frozen.ts';

const read = async (path: string): Promise<ApiDocument> =>
  JSON.parse(await readFile(join(import.meta.dirname, path), 'utf8'));

const problems: string[] = [];
for (const [variant, file] of Object.entries(DOCUMENT_FILES)) {
  const [before, after] = [await read(`released-${file}`), await read(`../../${file}`)];
  problems.push(...breakingChanges(before, after, ALLOWED));
  if (variant === 'unversioned') problems.push(...frozenChanges(before, after));
}
if (problems.length === 0) console.log('No change breaks clients of the last release.');
else {
  console.error(`Clients of the last release break:\n${problems.map((line) => `  ${line}\n`).join('')}`);
  process.exitCode = 1;
}
