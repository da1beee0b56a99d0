import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { DOCUMENT_FILES } from '../../src/http/openapi/document-files.ts';
import { wholeDocument } from './whole-document.ts';

const ROOT = join(import.meta.dirname, '..', '..');
export const TYPES_FILE = join(ROOT, 'packages', 'client', 'src', 'generated', 'types.gen.ts');

const read = async (file: string) => JSON.parse(await readFile(join(ROOT, file), 'utf8'));

/** The types of the client, generated from both OpenAPI documents. */
export async function generateTypes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-types-'));
  const { versioned, unversioned } = DOCUMENT_FILES;
  const input = wholeDocument(await read(versioned), await read(unversioned));
  try {
    await createClient({
      input,
      output: { path: folder, entryFile: false },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent' },
    });
    const types = await readFile(join(folder, 'types.gen.ts'), 'utf8');
    // The client has a class of this name; the union of deliveries is `WebhookEvent`.
    return types.replace(/^export type Webhooks = .*\n\n?/m, '');
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (import.meta.main) await writeFile(TYPES_FILE, await generateTypes());
