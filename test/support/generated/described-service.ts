import { expect } from 'vitest';
import { SCOPES } from '../../../src/access/api-key.ts';
import { DOCUMENT_FILES } from '../../../src/http/openapi/document-files.ts';
import { wholeDocument } from '../../../tools/client/whole-document.ts';
import { DescribedAnswers } from '../described-answers.ts';
import { BANANA, COLA } from '../foods.ts';
import { openTestServer } from '../test-server.ts';
import { type ApiDocument, type Operation, operationsOf, resolver } from './operations.ts';
import { RequestGenerator } from './request-generator.ts';
import { type SocketAnswer, SocketClient } from './socket-client.ts';

/** Ids of created objects that are kept. */
const MAX_IDS = 500;

/** A service on a socket, with a check of every response against its OpenAPI documents. */
export async function openDescribedService() {
  const fixture = await openTestServer();
  const client = new SocketClient(fixture.port);
  const read = async (file: string) =>
    (await client.send({ method: 'GET', url: `/${file}`, headers: {} })).json() as ApiDocument;
  const { versioned, unversioned } = DOCUMENT_FILES;
  const document = wholeDocument(await read(versioned), await read(unversioned));
  const described = new DescribedAnswers(document);
  const ids: string[] = [BANANA.id, COLA.id];
  let linesRead = 0;
  const newErrors = () => {
    const lines = fixture.log.slice(linesRead);
    linesRead += lines.length;
    return lines.filter((line) => line.includes('"level":"error"'));
  };
  return {
    fixture,
    client,
    document,
    described,
    /** Key of the tenant that the tests act for. */
    key: await fixture.createKey(SCOPES),
    // A stream of a scan that goes on does not end.
    operations: operationsOf(document).filter(({ path }) => !/stream|events/.test(path)),
    requests: new RequestGenerator({ described, resolve: resolver(document), ids }),
    /** Whether the tenant created something with this id. */
    isCreated: (id: string) => ids.includes(id, 2),
    keepId(answer: SocketAnswer): void {
      if (answer.statusCode !== 201) return;
      const { id, jobId } = answer.json() as { id?: string; jobId?: string };
      ids.push(...[id, jobId].filter((each) => each !== undefined));
      if (ids.length > MAX_IDS) ids.splice(2, MAX_IDS / 2);
    },
    /** Every response has to be described, and must not be an internal error. */
    expectDescribed({ name }: Operation, answer: SocketAnswer): void {
      expect(newErrors()).toEqual([]);
      expect(answer.statusCode).toBeLessThan(500);
      expect(described.missingFor(name, answer)).toEqual([]);
      expect(Object.keys(answer.headers)).toContain('x-request-id');
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await fixture[Symbol.asyncDispose]();
    },
  };
}
