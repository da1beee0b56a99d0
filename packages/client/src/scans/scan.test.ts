import { describe, expect, it } from 'vitest';
import {
  brokenConnection,
  type Fate,
  refusal,
  ScriptedFetch,
  type SentRequest,
} from '../../../../test/support/scripted-fetch.ts';
import { Larder } from '../index.ts';

const RESULT = { name: 'Banana', calories: 89, protein: 1, carbs: 23, fat: 0, servingSize: 100, items: [] };
const COMPLETED = { jobId: 'j', status: 'completed', result: RESULT };
const FAILURE = { code: 'no_food_detected', message: 'No food was found.', retryable: false };

function stream(states: readonly object[], firstId = 1): Response {
  const messages = states.map((state, at) => `id: ${firstId + at}\ndata: ${JSON.stringify(state)}\n\n`);
  return new Response(`: heartbeat\n\n${messages.join('')}`, {
    headers: { 'content-type': 'text/event-stream' },
  });
}
const state = (status: string) => ({ jobId: 'j', status });
const job = (value: object) => Response.json({ ...value, created_at: '2026-01-31T12:00:00.000Z' });

function open(fates: readonly Fate[]) {
  const script = new ScriptedFetch(fates);
  const larder = new Larder({ url: 'http://food.test', key: 'k', fetch: script.fetch });
  return { larder, scan: larder.scans.open('j'), sent: script.sent };
}

async function statusesOf(fates: readonly Fate[]) {
  const { scan, sent } = open(fates);
  const statuses = [];
  for await (const { status } of scan.states()) statuses.push(status);
  return {
    statuses,
    asked: sent.map(({ url, headers }) => [
      url.replace('http://food.test/v1/scan/image', ''),
      headers.get('last-event-id'),
    ]),
  };
}

describe('states', () => {
  it('come from one stream', async () => {
    const all = ['upload_pending', 'processing'].map(state);
    expect(await statusesOf([stream([...all, COMPLETED])])).toEqual({
      statuses: ['upload_pending', 'processing', 'completed'],
      asked: [['/j/stream', null]],
    });
  });

  it('go on after the last message when a stream breaks off', async () => {
    expect(await statusesOf([stream([state('processing')], 2), stream([COMPLETED], 3)])).toEqual({
      statuses: ['processing', 'completed'],
      asked: [
        ['/j/stream', null],
        ['/j/stream', '2'],
      ],
    });
  });

  it('are yielded once, though a new stream begins with the current state', async () => {
    const { statuses } = await statusesOf([
      stream([state('processing')]),
      stream([state('processing'), COMPLETED]),
    ]);
    expect(statuses).toEqual(['processing', 'completed']);
  });

  it.each<[string, () => Fate]>([
    ['do not connect', () => brokenConnection()],
    ['are refused for being too many', () => refusal(503, 'unavailable', { 'retry-after': '5' })],
    ['are buffered and cut off by a proxy', () => new Response('<html>')],
    ['have no readable body', () => new Response(null)],
    ['hold something else', () => new Response('data: <html>\n\n')],
  ])('are polled where streams %s', async (_, broken) => {
    const { statuses, asked } = await statusesOf([
      broken(),
      broken(),
      job(state('processing')),
      job(COMPLETED),
    ]);
    expect(statuses).toEqual(['processing', 'completed']);
    expect(asked.map(([path]) => path)).toEqual(['/j/stream', '/j/stream', '/j', '/j']);
  });

  it('end with the error of a scan that does not exist', async () => {
    await expect(statusesOf([refusal(404, 'scan_job_not_found')])).rejects.toMatchObject({
      code: 'scan_job_not_found',
    });
  });

  it('close the stream when the caller stops, or aborts the signal', async () => {
    let isClosed = false;
    const endless = ({ signal }: SentRequest) =>
      new Response(
        new ReadableStream({
          start(body) {
            body.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(state('processing'))}\n\n`));
            signal.addEventListener('abort', () => body.error(signal.reason));
          },
          cancel() {
            isClosed = true;
          },
        }),
      );
    for await (const _ of open([endless]).scan.states()) break;
    expect(isClosed).toBe(true);

    const leaving = new AbortController();
    const following = async () => {
      for await (const _ of open([endless]).scan.states({ signal: leaving.signal })) leaving.abort('left');
    };
    await expect(following()).rejects.toBe('left');
  });
});

describe('the result', () => {
  it('is that of the completed scan', async () => {
    expect(await open([stream([state('processing'), COMPLETED])]).scan.result()).toEqual(RESULT);
  });

  it('of a failed scan is an error with the reason', async () => {
    const failed = { ...state('failed'), error: FAILURE };
    await expect(open([stream([failed])]).scan.result()).rejects.toMatchObject({
      code: 'scan_failed',
      message: FAILURE.message,
      details: FAILURE,
    });
  });
});

describe('creating a scan', () => {
  const created = () =>
    Response.json({ jobId: 'j', uploadUrl: 'https://objects.test/j?sig=1' }, { status: 201 });
  const image = new Blob(['1234'], { type: 'image/png' });

  it('uploads to the signed URL, without a credential, and reports progress', async () => {
    const { larder, sent } = open([created(), new Response(null)]);
    const told: object[] = [];
    const scan = await larder.scans.create(image, {
      clientId: 'app',
      onUpload: (upload) => told.push(upload),
    });
    expect(scan.jobId).toBe('j');
    expect(JSON.parse(String(sent[0]!.body))).toEqual({
      clientId: 'app',
      contentType: 'image/png',
      contentLength: 4,
    });
    expect(sent[1]).toMatchObject({ method: 'PUT', url: 'https://objects.test/j?sig=1', body: image });
    expect([...sent[1]!.headers]).toEqual([['content-type', 'image/png']]);
    expect(told).toEqual([
      { jobId: 'j', sentBytes: 0, totalBytes: 4 },
      { jobId: 'j', sentBytes: 4, totalBytes: 4 },
    ]);
  });

  it('is done if an upload without a response arrived after all', async () => {
    const { larder } = open([
      created(),
      brokenConnection(),
      refusal(403, 'forbidden'),
      job(state('processing')),
    ]);
    await larder.scans.create(image, { clientId: 'app' });
  });

  it('deletes the scan and reports why its image is rejected', async () => {
    const deleted = Promise.withResolvers<SentRequest>();
    const { larder } = open([
      created(),
      refusal(415, 'unsupported_media_type'),
      job(state('upload_pending')),
      (request) => {
        deleted.resolve(request);
        return new Response(null, { status: 204 });
      },
    ]);
    const creating = larder.scans.create(image, { clientId: 'app' });
    await expect(creating).rejects.toMatchObject({ code: 'unsupported_media_type' });
    expect(await deleted.promise).toMatchObject({
      method: 'DELETE',
      url: 'http://food.test/v1/scan/image/j',
    });
  });
});
