import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { arbitraryFood, arbitraryProduct } from '../../../test/support/arbitrary-food.ts';
import { runs } from '../../../test/support/runs.ts';
import type { StoredRecord } from './food-record.ts';
import { readRecord } from './food-record-reader.ts';
import { RecordBytesReader } from './record-bytes.ts';
import { type SegmentInfo, SegmentWriter } from './segment.ts';
import { SegmentReader } from './segment-reader.ts';

const INFO: SegmentInfo = { origin: 'off', importedAt: 1_776_000_000, sources: ['products.csv.gz'] };

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'larder-segment-'));
  file = join(folder, 'a.segment');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('foods and products come back in order, at once and one by one', async () => {
  const records = sample(3_000);
  await write(records);

  const reader = SegmentReader.open(file);
  const positions: number[] = [];
  const scanned: StoredRecord[] = [];
  await reader.scan((bytes, start, position) => {
    const from = new RecordBytesReader(bytes);
    from.position = start;
    scanned.push(readRecord(from));
    positions.push(position);
  });
  expect(scanned).toEqual(records);
  expect(positions.map((at) => readRecord(new RecordBytesReader(reader.read(at))))).toEqual(records);
  reader.close();
});

test('a segment states the source and number of its foods', async () => {
  const records = sample(40);
  const summary = await write(records);
  const foods = records.filter((record) => 'food' in record).length;
  expect(summary).toMatchObject({ ...INFO, foods, knownProducts: records.length - foods });
  const reader = SegmentReader.open(file);
  expect(reader.summary).toEqual(summary);
  reader.close();
});

test('the file does not exist before it is finished, and is deleted when it is discarded', () => {
  const writer = SegmentWriter.open(file);
  for (const record of sample(10)) writer.addRecord(record);
  expect(readdirSync(folder)).not.toContain('a.segment');
  writer.discard();
  expect(readdirSync(folder)).toEqual([]);
});

test('a segment that was changed or cut off anywhere is rejected', async () => {
  await write(sample(20));
  const good = readFileSync(file);
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: good.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const changed = Buffer.from(good);
      changed[at]! ^= flip;
      writeFileSync(file, changed);
      await expect(scanAll()).rejects.toThrow(OperatorError);
      writeFileSync(file, good.subarray(0, at));
      await expect(scanAll()).rejects.toThrow(OperatorError);
    }),
    { numRuns: runs(300) },
  );
});

test.skipIf(!existsSync('/dev/full'))('a full disk is named as the reason, and nothing is left', async () => {
  symlinkSync('/dev/full', `${file}.tmp`);
  const writer = SegmentWriter.open(file);
  for (const record of sample(10)) writer.addRecord(record);
  await expect(writer.finish(INFO)).rejects.toThrow(/Cannot write .*a\.segment: the disk is full/);
  writer.discard();
  expect(readdirSync(folder)).toEqual([]);
});

test('a file of another kind, a missing file and a folder are named in the error', async () => {
  writeFileSync(file, 'code\tproduct_name\n');
  expect(() => SegmentReader.open(file)).toThrow(/is not a segment/);
  expect(() => SegmentReader.open(join(folder, 'none'))).toThrow(/is missing/);
  expect(() => SegmentReader.open(folder)).toThrow(/is a folder/);
});

function sample(count: number): StoredRecord[] {
  const record = fc.oneof(
    arbitraryFood.map((food) => ({ food, otherIds: [] })),
    arbitraryProduct.map((known) => ({ known, otherIds: [] })),
  );
  return fc.sample(record, { numRuns: count, seed: 7 });
}

async function write(records: readonly StoredRecord[]) {
  const writer = SegmentWriter.open(file);
  for (const record of records) writer.addRecord(record);
  return writer.finish(INFO);
}

async function scanAll(): Promise<void> {
  const reader = SegmentReader.open(file);
  try {
    await reader.scan(() => {});
  } finally {
    reader.close();
  }
}
