import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operation } from '../../api/operation.ts';

const FILE = join(import.meta.dirname, '..', '..', '..', 'openapi.json');

/** Read at the first request: to derive it from all operations takes 0.2 s, in which a thread could not answer others. */
let document: Promise<object> | undefined;
/** As bytes: with a string, each response would take a millisecond. */
let kept: { readonly basePath: string; readonly json: Buffer } | undefined;

async function readDocument(): Promise<object> {
  return JSON.parse(await readFile(FILE, 'utf8'));
}

/** The OpenAPI document for programs, with the base path as its server. */
export const getOpenApi = operation({
  method: 'GET',
  path: '/openapi.json',
  id: 'getOpenApi',
  summary: 'The OpenAPI document',
  access: 'public',
  counts: 'other',
  answer: { description: 'The document.' },
  handle: async ({ basePath }) => {
    document ??= readDocument().catch((error) => {
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
