import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { analysisSchema } from '../../src/api/scans/analysis-schema.ts';
import { useTestFonts } from '../support/labels/use-test-fonts.ts';
import { photographReceipt, RECEIPT_SHOTS } from '../support/receipts/receipt-photo.ts';
import { openTestService, type TestService } from '../support/test-service.ts';

const POLL_EVERY_MS = 20;
const ROWS = [
  '        GREEN GROCERS',
  '',
  'GREEK YOGURT 500G           £3.90',
  '   2 @ £1.95',
  'BIN LINERS                  £1.75',
  'DEPOSIT                     £0.20',
  'TOTAL                       £5.85',
  'VISA                        £5.85',
  '  THANK YOU     01/12/26 14:03',
];

let service: TestService;
let photo: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  service = await openTestService();
  useTestFonts();
  photo = new Uint8Array(await photographReceipt(ROWS, RECEIPT_SHOTS.tuned[0]!, () => 0.4));
});
afterAll(() => service[Symbol.asyncDispose]());

async function ask(method: string, path: string, body?: object) {
  const response = await fetch(service.url + path, {
    method,
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: JSON.parse(await response.text()) };
}

async function scan(kind?: string) {
  const created = await ask('POST', '/v1/scan/image', {
    clientId: 'phone-1',
    contentType: 'image/jpeg',
    kind,
  });
  expect(created.status).toBe(201);
  const { jobId, uploadUrl } = created.json;
  const sent = await fetch(uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: photo,
  });
  expect(sent.status).toBe(200);
  for (;;) {
    const { json } = await ask('GET', `/v1/scan/image/${jobId}`);
    if (json.status === 'completed' || json.status === 'failed') return json;
    await setTimeout(POLL_EVERY_MS);
  }
}

it('a receipt becomes lines with foods to confirm, and nothing of it is logged by itself', async () => {
  const made = await ask('POST', '/v1/foods', {
    name: 'Greek yogurt',
    servingSize: { value: 100, unit: 'g' },
    macros: { energy: 97, protein: 9, fat: 5, carbohydrates: 4 },
  });
  expect(made.status).toBe(201);

  const job = await scan('receipt');
  expect(job).toMatchObject({
    status: 'completed',
    result: { name: 'Greek yogurt', items: [], calories: 0 },
  });
  const [yogurt, liners, ...others] = job.result.receipt.lines;
  expect(others).toEqual([]);
  expect(yogurt).toMatchObject({
    text: 'GREEK YOGURT 500G',
    quantity: { value: 2 },
    size: { value: 500, unit: 'g' },
    price: '3.90',
    unitPrice: '1.95',
    currency: 'GBP',
    food: { foodId: made.json.id, name: 'Greek yogurt' },
  });
  expect(liners).toEqual({ text: 'BIN LINERS', price: '1.75', currency: 'GBP' });

  const analysis = analysisSchema.parse(await (await fetch(job.resultUrl)).json());
  expect(analysis.recognizers.map(({ name }) => name)).toEqual(['receipt']);
  expect(analysis.result.receipt?.lines).toEqual(job.result.receipt.lines);

  const meal = { date: '2026-12-01', mealType: 'lunch', scanJobId: job.jobId };
  const logged = await ask('POST', '/v1/users/ann/diary/scan', meal);
  expect(logged).toMatchObject({
    status: 400,
    json: { error: { message: expect.stringContaining('receipt') } },
  });
});

it('a photo that is not called a receipt is looked at as any other', async () => {
  const job = await scan();
  expect(job.result?.receipt).toBeUndefined();
});

it('another kind of photo is refused', async () => {
  const { status } = await ask('POST', '/v1/scan/image', {
    clientId: 'a',
    contentType: 'image/jpeg',
    kind: 'menu',
  });
  expect(status).toBe(400);
});
