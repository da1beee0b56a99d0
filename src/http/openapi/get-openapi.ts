import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operation } from '../../api/operation.ts';
import { type ApiVariant, DOCUMENT_FILES } from './document-files.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..');

async function readDocument(file: string): Promise<object> {
  return JSON.parse(await readFile(join(FOLDER, file), 'utf8'));
}

/** Serves an OpenAPI document for programs, with the base path as its server. */
function documentOperation(variant: ApiVariant, id: string, summary: string) {
  const file = DOCUMENT_FILES[variant];
  /** Read at the first request: to derive it from all operations takes 0.2 s, in which a thread could not answer others. */
  let document: Promise<object> | undefined;
  /** As bytes: with a string, each response would take a millisecond. */
  let kept: { readonly basePath: string; readonly json: Buffer } | undefined;
  return operation({
    method: 'GET',
    path: `/${file}`,
    id,
    summary,
    access: 'public',
    counts: 'other',
    answer: { description: 'The document.' },
    handle: async ({ basePath }) => {
      document ??= readDocument(file).catch((error) => {
        document = undefined;
        throw error;
      });
      const described = await document;
      if (kept?.basePath !== basePath) {
        const servers = [{ url: basePath || '/' }];
        kept = { basePath, json: Buffer.from(JSON.stringify({ ...described, servers })) };
      }
      return kept.json;
    },
  });
}

export const getOpenApi = documentOperation('versioned', 'getOpenApi', 'The OpenAPI document');
export const getUnversionedOpenApi = documentOperation(
  'unversioned',
  'getUnversionedOpenApi',
  'The OpenAPI document of the unversioned paths',
);
