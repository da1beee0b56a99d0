import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../limits/request-limiter.ts';
import { answerClientError } from './socket-errors.ts';

const LATE = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

async function answerTo(bytesRead: number): Promise<string> {
  const socket = Object.assign(new PassThrough(), { bytesRead });
  await answerClientError(LATE, socket, { limiter: UNLIMITED });
  return String(socket.read() ?? '');
}

test('a connection that a browser opened in advance is closed without a word', async () => {
  expect(await answerTo(0)).toBe('');
});

test('a request whose headers do not come to an end is refused', async () => {
  expect(await answerTo(20)).toMatch(/^HTTP\/1.1 400 .*The request took too long to arrive/s);
});
