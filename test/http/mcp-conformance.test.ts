import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { SCOPES } from '../../src/access/api-key.ts';
import { ERAS } from '../support/mcp-client.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTestServer } from '../support/test-server.ts';

const SUITE = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const EXPECTED = join(import.meta.dirname, '../support/mcp-conformance');

const server = await openTestServer();
const key = await server.createKey(SCOPES);

// The suite sends no credential, so a proxy adds one and forwards the rest, including Host and Origin,
// unchanged.
const proxy = createServer((incoming, response) => {
  const { method, url: path, headers } = incoming;
  const authorized = { ...headers, authorization: `Bearer ${key}` };
  const outgoing = request({ host: '127.0.0.1', port: server.port, method, path, headers: authorized });
  outgoing.on('response', (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  incoming.pipe(outgoing);
});
await once(proxy.listen(0, '127.0.0.1'), 'listening');
const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp?userId=ann`;
afterAll(async () => {
  proxy.close();
  await server[Symbol.asyncDispose]();
});

it.each(ERAS)('passes the suite for revision %s, except for the listed failures', async (era) => {
  using folder = tempFolder();
  const expected = join(EXPECTED, `${era}.yml`);
  const words = ['server', '--url', url, '--requirements', era, '--expected-failures', expected];
  const suite = spawn(process.execPath, [SUITE, ...words, '--output-dir', folder.path]);
  const output: Buffer[] = [];
  for (const stream of [suite.stdout, suite.stderr]) stream.on('data', (piece) => output.push(piece));
  const [code] = await once(suite, 'close');
  // Also fails if a listed failure passes now.
  expect(code, Buffer.concat(output).toString()).toBe(0);
});
