import { setTimeout } from 'node:timers/promises';
import { EventSource } from 'eventsource';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { analysisSchema } from '../../src/api/scans/analysis-schema.ts';
import { openScanEngine } from '../../src/app/open-backend.ts';
import { createSharedMemory } from '../../src/app/shared-memory.ts';
import { analysisKey, imageKey, type ScanId } from '../../src/scan/scan-job.ts';
import { ean13Bars } from '../support/barcode-bars.ts';
import { barcodePicture } from '../support/barcode-picture.ts';
import { EventReader } from '../support/event-reader.ts';
import { KNOWN, SPREAD } from '../support/foods.ts';
import { barcodeHeic } from '../support/heic-file.ts';
import { openTestService, type TestService } from '../support/test-service.ts';
import { VARIANTS, type Variant } from './variants.ts';

const [V1] = VARIANTS as [Variant];
const POLL_EVERY_MS = 20;
/** Amounts in a serving of 15 g. */
const MACROS = { calories: 80.85, protein: 0.945, carbs: 8.625, fat: 4.635 };

let service: TestService;
let photo: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  service = await openTestService();
  const picture = await barcodePicture({ bars: ean13Bars(SPREAD.barcode!) });
  photo = new Uint8Array(await picture.jpeg().toBuffer());
});
afterAll(() => service[Symbol.asyncDispose]());

async function ask(variant: Variant, method: string, path: string, body?: object) {
  const response = await fetch(service.url + variant.prefix + path, {
    method,
    headers: {
      ...variant.credential(service.key),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
}

async function create(variant: Variant, contentType = 'image/jpeg') {
  const { status, json } = await ask(variant, 'POST', '/scan/image', { clientId: 'phone-1', contentType });
  expect(status).toBe(201);
  return json as { jobId: ScanId; uploadUrl: string; streamUrl: string };
}

async function upload(address: string, body: Uint8Array<ArrayBuffer>, type = 'image/jpeg'): Promise<void> {
  const sent = await fetch(address, { method: 'PUT', headers: { 'content-type': type }, body });
  await sent.text();
  expect(sent.status).toBe(200);
}

/** Polls until the scan has settled, slowly enough to leave the machine to the worker. */
async function poll(variant: Variant, id: ScanId) {
  for (;;) {
    const { status, json } = await ask(variant, 'GET', `/scan/image/${id}`);
    expect(status).toBe(200);
    if (json.status !== 'upload_pending' && json.status !== 'processing') return json;
    await setTimeout(POLL_EVERY_MS);
  }
}

/** Follows the stream to its end. */
async function follow(id: ScanId) {
  const stream = await EventReader.open(
    `${service.url}/v1/scan/image/${id}/stream`,
    V1.credential(service.key),
  );
  const events = [];
  for (let event = await stream.next(); event !== undefined; event = await stream.next()) events.push(event);
  return events;
}

async function scan(image: Uint8Array<ArrayBuffer>, type?: string): Promise<ScanId> {
  const { jobId, uploadUrl } = await create(V1, type);
  await upload(uploadUrl, image, type);
  return jobId;
}

describe.each(VARIANTS)('a photo of a barcode, $name', (variant) => {
  // An object store only accepts the signed type.
  it.each([
    ['image/jpg', 'image/jpeg'],
    ...(inject('cluster') === undefined
      ? [
          ['image/jpeg', 'image/jpg'],
          ['Image/JPG', 'IMAGE/JPEG; charset=binary'],
        ]
      : []),
  ])('may be announced as %s and sent as %s', async (announced, sent) => {
    const { jobId, uploadUrl } = await create(variant, announced);
    await upload(uploadUrl, photo, sent);
    expect((await poll(variant, jobId)).status).toMatch(/^completed?$/);
  });

  it('as HEIC, the format of iPhones, gives the same result', async () => {
    const { jobId, uploadUrl } = await create(variant, 'image/heic');
    await upload(uploadUrl, new Uint8Array(barcodeHeic()), 'image/heic');
    const { status, result } = await poll(variant, jobId);
    expect(status).toMatch(/^completed?$/);
    expect(JSON.stringify(result)).toContain(String(MACROS.calories));
  });

  it('returns the serving of its food by polling and by stream, and can be logged to the diary', async () => {
    const { jobId, uploadUrl } = await create(variant);
    const following = follow(jobId);
    await upload(uploadUrl, photo);
    const polled = await poll(variant, jobId);
    if (variant === V1) {
      expect(polled).toMatchObject({ status: 'completed', jobId, result: { ...MACROS, servingSize: 15 } });
    } else {
      const item = {
        name: SPREAD.name,
        serving: { amount: 15, unit: 'g' },
        macros: MACROS,
        nutrients: polled.result.items[0].nutrients,
      };
      expect(polled).toEqual({ status: 'complete', result: { items: [item] } });
    }

    const events = await following;
    const orders = events.map((event) => Number(event.id));
    expect(orders).toEqual(orders.toSorted((a, b) => a - b));
    const last = events.at(-1)!.data;
    expect(last).toMatchObject({ status: 'completed', jobId, result: { ...MACROS, servingSize: 15 } });
    expect(events.filter(({ data }) => 'result' in data)).toHaveLength(1);

    const kept = await (await fetch(last.resultUrl)).json();
    const analysis = analysisSchema.parse(kept);
    expect(analysis).toEqual(kept);
    expect(analysis).toMatchObject({ version: 1, jobId, result: MACROS });
    expect(analysis.timings.totalMs).toBeGreaterThan(0);
    expect(analysis.recognizers[0]).toMatchObject({ name: 'barcode', outcome: 'recognized' });

    // The diary has one variant, and accepts the scans of both.
    const user = `walker-${jobId}`;
    const entry = { date: '2026-01-31', mealType: 'snacks', scanJobId: jobId };
    const logged = await ask(V1, 'POST', `/users/${user}/diary/scan`, entry);
    expect(logged.status).toBe(201);
    const listed = await ask(V1, 'GET', `/users/${user}/diary?date=2026-01-31`);
    expect(listed.json).toEqual(logged.json);
    expect(JSON.stringify(listed.json)).toContain(JSON.stringify(SPREAD.name));
  });

  it('without food fails with the reason', async () => {
    const plain = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#888' } })
      .png()
      .toBuffer();
    const { jobId, uploadUrl } = await create(variant, 'image/png');
    await upload(uploadUrl, new Uint8Array(plain), 'image/png');
    const failed = await poll(variant, jobId);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'no_food_detected', retryable: false } });
    expect(failed).not.toHaveProperty('result');
  });

  it('of a known product without nutrients fails with its number and the known product', async () => {
    const picture = await barcodePicture({ bars: ean13Bars(KNOWN.barcode) });
    const { jobId, uploadUrl } = await create(variant);
    await upload(uploadUrl, new Uint8Array(await picture.jpeg().toBuffer()));
    expect(await poll(variant, jobId)).toMatchObject({
      status: 'failed',
      error: {
        code: 'no_food_detected',
        unknownProducts: [{ barcode: KNOWN.barcode, name: KNOWN.name, brand: KNOWN.brand }],
      },
    });
  });

  it('that is truncated fails as unreadable', async () => {
    const { jobId, uploadUrl } = await create(variant);
    await upload(uploadUrl, photo.slice(0, photo.length / 2));
    expect(await poll(variant, jobId)).toMatchObject({
      status: 'failed',
      error: { code: 'image_unreadable' },
    });
  });
});

it('deleting a scan deletes its image and analysis', async () => {
  const engine = await openScanEngine(service.config, {
    memory: createSharedMemory(),
    port: undefined,
    log: service.log.logger,
  });
  try {
    const { objects } = engine;
    const id = await scan(photo);
    const { resultUrl } = await poll(V1, id);
    expect(await objects.find(imageKey(id))).toBeDefined();
    expect(await objects.find(analysisKey(id))).toBeDefined();
    expect((await ask(V1, 'DELETE', `/scan/image/${id}`)).status).toBe(204);
    expect(await objects.find(imageKey(id))).toBeUndefined();
    expect(await objects.find(analysisKey(id))).toBeUndefined();
    expect((await fetch(resultUrl)).status).toBe(404);
    expect((await ask(V1, 'GET', `/scan/image/${id}`)).status).toBe(404);
  } finally {
    await engine.close();
  }
});

it('an EventSource follows streamUrl to the end and reconnects once before it stops', async () => {
  const { jobId, uploadUrl, streamUrl } = await create(V1);
  const asked: { status: number; after: string | undefined }[] = [];
  const source = new EventSource(streamUrl, {
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      asked.push({ status: response.status, after: init.headers['Last-Event-ID'] });
      return response;
    },
  });
  const statuses: string[] = [];
  const ended = Promise.withResolvers<void>();
  source.addEventListener('message', ({ data }) => statuses.push(JSON.parse(data).status));
  source.addEventListener('message', () => upload(uploadUrl, photo).catch(ended.reject), { once: true });
  source.addEventListener('error', () => {
    if (source.readyState === source.CLOSED) ended.resolve();
  });
  try {
    await ended.promise;
  } finally {
    source.close();
  }
  expect(statuses).toEqual(['upload_pending', 'processing', 'completed']);
  expect(asked).toEqual([
    { status: 200, after: undefined },
    { status: 204, after: '3' },
  ]);
  expect((await poll(V1, jobId)).status).toBe('completed');
});
