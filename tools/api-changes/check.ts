/**
 * Compares `openapi.json` with the document of the last release and exits with 1 if a client of that release
 * would break. A release replaces `released-openapi.json`.
 *
 *     npm run api-changes
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ALLOWED } from './allowed.ts';
import { type ApiDocument, breakingChanges } from './api-changes.ts';

const read = async (path: string): Promise<ApiDocument> =>
  JSON.parse(await readFile(join(import.meta.dirname, path), 'utf8'));

const problems = breakingChanges(
  await read('released-openapi.json'),
  await read('../../openapi.json'),
  ALLOWED,
);
if (problems.length === 0) console.log('No change breaks clients of the last release.');
else {
  console.error(`Clients of the last release break:\n${problems.map((line) => `  ${line}\n`).join('')}`);
  process.exitCode = 1;
}
