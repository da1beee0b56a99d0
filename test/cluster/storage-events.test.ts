import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { SCOPES } from '../../src/access/api-key.ts';
import { ANONYMOUS_LIMIT } from '../../src/limits/operations.ts';
import { imageKey, type ScanId } from '../../src/scan/scan-job.ts';
import { rawRequest } from '../support/raw-request.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const SECRET = 'a-secret-of-sixteen-and-more';

describe.skipIf(inject('cluster') === undefined)('events of the object store', () => {
  let fixture: TestServer;
  let key: string;
  beforeAll(async () => {
    fixture = await openTestServer({ settings: { LARDER_STORAGE_EVENTS_SECRET: SECRET } });
    key = await fixture.createKey(SCOPES);
  });
  afterAll(() => fixture?.[Symbol.asyncDispose]());

  const tell = (payload: object, secret = SECRET) =>
    fixture.ask({
      method: 'POST',
      url: '/internal/storage-events',
      headers: { authorization: `Bearer ${secret}` },
      payload,
    });

  async function newScan(): Promise<ScanId> {
    const answer = await fixture.ask({
      method: 'POST',
      url: '/v1/scan/image',
      headers: { authorization: `Bearer ${key}` },
      payload: { clientId: 'phone-1', contentType: 'image/png' },
    });
    return answer.json().jobId;
  }

  const statusOf = async (id: ScanId) => (await fixture.scanStore.findByIds([id]))[0]?.status;
  const eventOf = (...ids: ScanId[]) => ({
    Records: ids.map((id) => ({
      eventName: 's3:ObjectCreated:Put',
      s3: { bucket: { name: fixture.bucket }, object: { key: encodeURIComponent(imageKey(id)) } },
    })),
  });

  test('start each scan once when its image has arrived', async () => {
    const [first, second, other] = [await newScan(), await newScan(), await newScan()];
    for (let time = 0; time < 2; time++) {
      expect((await tell(eventOf(first, second))).statusCode).toBe(204);
      expect(await Promise.all([first, second, other].map(statusOf))).toEqual([
        'processing',
        'processing',
        'upload_pending',
      ]);
    }
  });

  test('are accepted with the secret', async () => {
    const id = await newScan();
    for (const secret of ['', 'x', key, SECRET.slice(1)]) {
      const refused = await tell(eventOf(id), secret);
      expect([refused.statusCode, refused.json().error.code]).toEqual([401, 'invalid_api_key']);
      expect(refused.headers['www-authenticate']).toContain('Bearer');
    }
    expect(await statusOf(id)).toBe('upload_pending');
  });

  test('are read only with the secret, and wrong secrets are counted', async () => {
    await using guarded = await openTestServer({
      settings: { LARDER_STORAGE_EVENTS_SECRET: SECRET },
      limited: true,
    });
    const port = guarded.port;
    const announce = (secret: string) =>
      rawRequest(
        port,
        [
          'POST /internal/storage-events HTTP/1.1',
          'Host: larder',
          `Authorization: Bearer ${secret}`,
          'Content-Type: application/json',
          // The body is never sent.
          'Content-Length: 1000',
          'Connection: close',
          '',
          '',
        ].join('\r\n'),
      );
    for (let left = ANONYMOUS_LIMIT - 1; left >= 0; left--) {
      const { status, headers } = await announce('a-guess');
      expect([status, headers['x-ratelimit-remaining']]).toEqual([401, String(left)]);
    }
    expect((await announce('a-guess')).status).toBe(429);
    const told = await guarded.ask({
      method: 'POST',
      url: '/internal/storage-events',
      headers: { authorization: `Bearer ${SECRET}` },
      payload: eventOf(),
    });
    expect([told.statusCode, told.headers['x-ratelimit-limit']]).toEqual([204, undefined]);
  });

  test('are rejected if they are not notifications', async () => {
    const refused = await tell({ Records: [{ eventName: 1 }] });
    expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'invalid_request']);
  });

  test('have no endpoint without a configured secret', async () => {
    await using closed = await openTestServer();
    const answer = await closed.ask({
      method: 'POST',
      url: '/internal/storage-events',
      payload: {},
    });
    expect(answer.statusCode).toBe(404);
  });
});
