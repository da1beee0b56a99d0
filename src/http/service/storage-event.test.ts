import { expect, test } from 'vitest';
import { storageEventSchema, storedKeys } from './receive-storage-event.ts';

const KEY = 'images/01kg9v3h00000xw5m8kq2nce7a';
const record = (key: string, more: object = {}) => ({
  eventVersion: '2.1',
  eventSource: 'aws:s3',
  eventName: 'ObjectCreated:Put',
  s3: { s3SchemaVersion: '1.0', bucket: { name: 'larder', arn: 'x' }, object: { key, size: 1_024 } },
  ...more,
});
const keysOf = (body: object) => [...storedKeys(storageEventSchema.parse(body), 'larder')];

test('the key of a stored object is read from notifications of S3 and of MinIO', () => {
  expect(keysOf({ Records: [record(KEY)] })).toEqual([KEY]);
  expect(
    keysOf({
      EventName: 's3:ObjectCreated:Put',
      Key: `larder/${KEY}`,
      Records: [record(encodeURIComponent(KEY), { eventName: 's3:ObjectCreated:CompleteMultipartUpload' })],
    }),
  ).toEqual([KEY]);
});

test('several records are several objects without repetitions', () => {
  const other = 'images/01kg9v3h00000xw5m8kq2nce7b';
  expect(keysOf({ Records: [record(KEY), record(other), record(KEY)] })).toEqual([KEY, other]);
});

test('skips events of other objects', () => {
  const foreign = { bucket: { name: 'other' }, object: { key: KEY } };
  const records = [
    record(KEY, { eventName: 'ObjectRemoved:Delete' }),
    record(KEY, { s3: foreign }),
    record('IMAGES/../x'),
    record('images/a%'),
    record('images/a+b'),
  ];
  expect(keysOf({ Records: records })).toEqual([]);
  expect(keysOf({ Service: 'Amazon S3', Event: 's3:TestEvent', Bucket: 'larder' })).toEqual([]);
});

test('rejects a body that is not a notification', () => {
  for (const body of [null, [], { Records: [{}] }, { Records: Array(1_001).fill(record(KEY)) }]) {
    expect(storageEventSchema.safeParse(body).success).toBe(false);
  }
});
