import { afterAll, beforeAll, expect, it } from 'vitest';
import { ean13Bars } from '../support/barcode-bars.ts';
import { barcodePicture } from '../support/barcode-picture.ts';
import { EventReader } from '../support/event-reader.ts';
import { SPREAD } from '../support/foods.ts';
import { barcodeHeic, turnedHeic } from '../support/heic-file.ts';
import { photoFiles } from '../support/photo-files.ts';
import { openTestService, type TestService } from '../support/test-service.ts';

/** A path that no response may reveal. */
const GPS = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 51/1 29/1' } };

let service: TestService;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await openTestService();
  headers = { authorization: `Bearer ${service.key}` };
});
afterAll(() => service[Symbol.asyncDispose]());

async function scan(image: Uint8Array<ArrayBuffer>, contentType = 'image/jpeg') {
  const created = await fetch(`${service.url}/v1/scan/image`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ clientId: 'phone-1', contentType }),
  });
  const { jobId, uploadUrl } = (await created.json()) as { jobId: string; uploadUrl: string };
  const path = `/v1/scan/image/${jobId}`;
  const reader = await EventReader.open(`${service.url}${path}/stream`, headers);
  const uploaded = await fetch(uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': contentType },
    body: image,
  });
  expect(uploaded.status).toBeLessThan(300);
  const statuses: string[] = [];
  for (let event = await reader.next(); event !== undefined; event = await reader.next()) {
    statuses.push(event.data.status);
  }
  // biome-ignore lint/suspicious/noExplicitAny: what was sent is what is tested
  const job: any = await (await fetch(`${service.url}${path}`, { headers })).json();
  return { jobId, statuses, job };
}

async function metric(name: string): Promise<string | undefined> {
  const text = await (await fetch(`${service.url}/metrics`, { headers })).text();
  return text
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length + 1);
}

it('a photo of a barcode is analysed to its product', async () => {
  const picture = await barcodePicture({ bars: ean13Bars(SPREAD.barcode!), turnedBy: 20 });
  const bytes = await picture.withExif(GPS).jpeg().toBuffer();
  const { jobId, statuses, job } = await scan(new Uint8Array(bytes));

  expect(statuses.at(-1)).toBe('completed');
  expect(job).toMatchObject({
    status: 'completed',
    result: {
      name: SPREAD.name,
      calories: 80.85,
      servingSize: 15,
      items: [{ foodId: SPREAD.id, origin: 'barcode', servingSize: { value: 15, unit: 'g' } }],
    },
  });
  const kept = await (await fetch(job.resultUrl)).text();
  expect(JSON.parse(kept)).toMatchObject({
    version: 1,
    jobId,
    clientId: 'phone-1',
    status: 'completed',
    createdAt: job.created_at,
    image: { type: 'image/jpeg', sizeBytes: bytes.length },
    recognizers: [{ name: 'barcode', outcome: 'recognized', proposals: [{ digits: SPREAD.barcode }] }],
    items: [{ foodId: SPREAD.id }],
    result: { name: SPREAD.name, calories: 80.85 },
  });
  expect(kept).not.toMatch(/gps|latitude/i);
});

it('a photo is read in each kind of file, however it is turned', async () => {
  const picture = await barcodePicture({ bars: ean13Bars(SPREAD.barcode!), turnedBy: 20 });
  const files = [
    ...(await photoFiles(picture)),
    { name: 'HEIC', type: 'image/heic', bytes: barcodeHeic() },
    { name: 'HEIC that is turned', type: 'image/heic', bytes: turnedHeic() },
  ];
  const outcomes = await Promise.all(
    files.map(async ({ name, type, bytes }) => {
      const { job } = await scan(new Uint8Array(bytes), type);
      return [name, job.status, job.result?.items[0]?.foodId ?? job.error?.message];
    }),
  );
  expect(outcomes).toEqual(files.map(({ name }) => [name, 'completed', SPREAD.id]));
});

it('a file that breaks off fails with image_unreadable, whatever its kind', async () => {
  const picture = await barcodePicture({ bars: ean13Bars(SPREAD.barcode!) });
  const whole = [
    ['image/jpeg', await picture.jpeg().toBuffer()],
    ['image/png', await picture.png().toBuffer()],
    ['image/webp', await picture.webp().toBuffer()],
    ['image/heic', barcodeHeic()],
  ] as const;
  for (const [type, bytes] of whole) {
    const { job } = await scan(new Uint8Array(bytes.subarray(0, Math.round(bytes.length * 0.7))), type);
    const error = { code: 'image_unreadable', message: expect.stringMatching(/damaged/), retryable: false };
    expect(job).toMatchObject({ status: 'failed', error });
  }
});

it('an upload that is not an image fails, and metrics count the outcomes of scans', async () => {
  const { job } = await scan(new Uint8Array(Buffer.from('%PDF-1.7')), 'image/png');
  expect(job).toMatchObject({ status: 'failed', error: { code: 'unsupported_image', retryable: false } });
  // A worker records a settled job after all others can see it.
  await expect
    .poll(() => metric('larder_scan_duration_seconds_count{outcome="unsupported_image"}'))
    .toBe('1');
  await expect.poll(() => metric('larder_scan_queue_jobs{state="waiting"}')).toBe('0');
});
