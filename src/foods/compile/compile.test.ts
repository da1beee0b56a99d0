import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { parseBarcode } from '@larder/core/codes/scanned-code.ts';
import { OperatorError } from '@larder/core/errors.ts';
import type { Food } from '@larder/core/food.ts';
import { toGtin } from '@larder/core/gtin.ts';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { arbitraryFood, arbitraryProduct } from '../../../test/support/arbitrary-food.ts';
import { COMPILED_AT, compileFoods, writeSegment } from '../../../test/support/compiled-foods.ts';
import {
  catalogueOfBefore,
  RECORDS_OF_BEFORE,
  segmentOfBefore,
} from '../../../test/support/files-of-before.ts';
import { runs } from '../../../test/support/runs.ts';
import { sampleFood, sampleProduct } from '../../../test/support/sample-foods.ts';
import { Catalogue } from '../catalogue/catalogue.ts';
import { HEADER_BYTES, parseDirectory, parseHeader } from '../catalogue/catalogue-file.ts';
import { CATALOGUE_FORMAT_VERSION } from '../catalogue/format.ts';
import { loadCatalogueImage } from '../catalogue/load-catalogue.ts';
import { type CompileProgress, compileCatalogue } from './compile.ts';

const NUTELLA = '3017620422003';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'larder-compile-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('every food is found by its id and its GTIN, and nothing else is found', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(arbitraryFood, { selector: ({ id }) => id, maxLength: 60 }),
      fc.uniqueArray(arbitraryProduct, { selector: ({ id }) => id, maxLength: 20 }),
      arbitraryFood,
      async (foods, products, stranger) => {
        const ids = new Set(foods.map(({ id }) => id));
        const known = products.filter(({ id }) => !ids.has(id));
        const { catalogue, report } = await compileFoods([foods], known);
        const merged = Object.values(report.merged).reduce((sum, { count }) => sum + count, 0);
        expect(catalogue.info.foods + catalogue.info.knownProducts + merged).toBe(report.read);
        const byGtin = Map.groupBy(foods, ({ gtin }) => gtin);
        for (const food of foods) {
          const found = catalogue.findById(food.id);
          if (byGtin.get(food.gtin)!.length === 1 || food.gtin === undefined) {
            expect(found).toMatchObject({ name: food.name, per100: food.per100 });
          }
          expect(found).toBeDefined();
          if (food.gtin !== undefined) expect(catalogue.findByGtin(food.gtin)?.gtin).toBe(food.gtin);
        }
        for (const { gtin } of known) expect(catalogue.findByGtin(gtin)?.gtin).toBe(gtin);
        if (!ids.has(stranger.id) && !known.some(({ id }) => id === stranger.id)) {
          expect(catalogue.findById(stranger.id)).toBeUndefined();
        }
        const gtins = new Set([...foods, ...known].map(({ gtin }) => gtin));
        if (stranger.gtin !== undefined && !gtins.has(stranger.gtin)) {
          expect(catalogue.findByGtin(stranger.gtin)).toBeUndefined();
        }
      },
    ),
    { numRuns: runs(60) },
  );
});

test('documents are ordered by popularity, then by the shorter name; known products come last', async () => {
  const foods = [
    sampleFood('off', '1', { name: 'Plain oat drink', popularity: 10 }),
    sampleFood('off', '2', { name: 'Oats', popularity: 10 }),
    sampleFood('off', '3', { name: 'Porridge', popularity: 200 }),
  ];
  const { catalogue } = await compileFoods([foods], [sampleProduct('off', '4', '96385074')]);
  const ids = [...catalogue.records()].map((r) => ('food' in r ? r.food.id : r.known.id));
  expect(ids).toEqual(['off:3', 'off:2', 'off:1', 'off:4']);
});

test('the newest import of an id wins, also within an import', async () => {
  const { catalogue, report } = await compileFoods([
    [sampleFood('off', '1', { name: 'Old' }), sampleFood('off', '2', { name: 'Other' })],
    [sampleFood('off', '1', { name: 'New' }), sampleFood('off', '1', { name: 'Newest' })],
  ]);
  expect(catalogue.findById('off:1')?.name).toBe('Newest');
  expect(catalogue.info.foods).toBe(2);
  expect(report.merged.replaced).toEqual({ count: 2, example: 'off:1' });
});

test('one product in two sources becomes one food with both ids', async () => {
  const { catalogue, report } = await compileFoods([
    [sampleFood('off', NUTELLA, { name: 'Hazelnut spread', barcode: NUTELLA })],
    [sampleFood('fdc', '77', { name: 'HAZELNUT COCOA', brand: 'Ferrero', barcode: `0${NUTELLA}` })],
  ]);
  expect(catalogue.info.foods).toBe(1);
  const food = catalogue.findByGtin(toGtin(NUTELLA));
  expect(food).toMatchObject({ id: `off:${NUTELLA}`, brand: 'Ferrero', aliases: ['HAZELNUT COCOA'] });
  expect(catalogue.findById('fdc:77')).toEqual(food);
  expect(catalogue.search('ferrero', 5)).toEqual([food]);
  expect(report.merged.acrossOrigins).toEqual({ count: 1, example: `fdc:77 into off:${NUTELLA}` });
});

test('numbers with a wrong check digit, and those of shops, merge nothing', async () => {
  for (const barcode of ['3017620422004', '2000000000008', '0200000000002', '00000048']) {
    const { catalogue, report } = await compileFoods([
      [sampleFood('off', barcode, { barcode, popularity: 9 })],
      [sampleFood('fdc', '1', { barcode })],
    ]);
    expect(catalogue.info.foods).toBe(2);
    expect(catalogue.findByGtin(toGtin(barcode))?.id).toBe(`off:${barcode}`);
    expect(report.notices.doubtfulBarcode?.count).toBe(1);
  }
});

test('a food takes precedence over a known product with the same barcode', async () => {
  const { catalogue } = await compileFoods(
    [[sampleFood('fdc', '5', { barcode: NUTELLA })]],
    [sampleProduct('off', NUTELLA, NUTELLA), sampleProduct('off', '96385074', '96385074')],
  );
  expect(catalogue.findByBarcode(parseBarcode(NUTELLA))).toMatchObject({ food: { id: 'fdc:5' } });
  expect(catalogue.findById(`off:${NUTELLA}`)?.id).toBe('fdc:5');
  expect(catalogue.findByBarcode(parseBarcode('96385074'))).toMatchObject({ known: { barcode: '96385074' } });
  expect(catalogue.findById('off:96385074')).toBeUndefined();
});

test('a barcode typed into the search box finds its food', async () => {
  const food = sampleFood('off', NUTELLA, { name: 'Spread', barcode: NUTELLA });
  const { catalogue } = await compileFoods([[food]]);
  expect(catalogue.search('3017 6204-22003', 5)).toEqual([food]);
  expect(catalogue.search('301762042200', 5)).toEqual([]);
});

test('a catalogue may be empty', async () => {
  const { catalogue } = await compileFoods([]);
  expect(catalogue.info).toMatchObject({ foods: 0, knownProducts: 0, createdAt: COMPILED_AT });
  expect(catalogue.search('apple', 5)).toEqual([]);
  expect(catalogue.findById('off:1')).toBeUndefined();
  expect(catalogue.findByGtin(toGtin(NUTELLA))).toBeUndefined();
});

test('equal segments give equal files, and equal checksums at another time', async () => {
  const segment = await segmentOf(sample(200));
  const [a, b, later] = [join(folder, 'a'), join(folder, 'b'), join(folder, 'c')];
  const first = await compileCatalogue({ segments: [segment], out: a, nowMs: () => COMPILED_AT });
  await compileCatalogue({ segments: [segment], out: b, nowMs: () => COMPILED_AT });
  const third = await compileCatalogue({ segments: [segment], out: later, nowMs: () => COMPILED_AT + 5 });
  expect(readFileSync(b)).toEqual(readFileSync(a));
  expect(third.info.checksum).toBe(first.info.checksum);
});

test('a damaged segment leaves only the old catalogue', async () => {
  const segment = await segmentOf(sample(50));
  const out = join(folder, 'out');
  writeFileSync(out, 'the old one');
  const bytes = readFileSync(segment);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(segment, bytes);
  await expect(compileCatalogue({ segments: [segment], out, nowMs: () => 0 })).rejects.toThrow(OperatorError);
  expect(readFileSync(out, 'utf8')).toBe('the old one');
  expect(readdirSync(folder).toSorted()).toEqual(['a.segment', 'out']);
});

test('a catalogue that was changed or cut off anywhere is rejected, or equal', async () => {
  const out = join(folder, 'out');
  await compileCatalogue({ segments: [await segmentOf(sample(30))], out, nowMs: () => COMPILED_AT });
  const good = readFileSync(out);
  const records = [...Catalogue.open(await loadCatalogueImage(out)).records()];
  const changed = join(folder, 'changed');
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: good.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const bytes = Buffer.from(good);
      bytes[at]! ^= flip;
      writeFileSync(changed, bytes);
      const image = await loadCatalogueImage(changed).catch((error) => error);
      if (image instanceof SharedArrayBuffer) {
        expect([...Catalogue.open(image).records()]).toEqual(records);
      } else {
        expect(image).toBeInstanceOf(OperatorError);
      }
      writeFileSync(changed, good.subarray(0, at));
      await expect(loadCatalogueImage(changed)).rejects.toThrow(OperatorError);
    }),
    { numRuns: runs(300) },
  );
});

test('a file of another kind, of another version and a missing file are named in the error', async () => {
  const out = join(folder, 'out');
  await compileCatalogue({ segments: [await segmentOf(sample(3))], out, nowMs: () => COMPILED_AT });
  const bytes = readFileSync(out);
  bytes.writeUInt32LE(99, 8);
  writeFileSync(out, bytes);
  await expect(loadCatalogueImage(out)).rejects.toThrow(/format version 99/);
  writeFileSync(out, 'hello');
  await expect(loadCatalogueImage(out)).rejects.toThrow(/is not a catalogue/);
  await expect(loadCatalogueImage(join(folder, 'none'))).rejects.toThrow(/no such file/);
});

test('segments of the previous version have the same foods and products', async () => {
  const [segment, out] = ['segment', 'out'].map((name) => join(folder, name)) as [string, string];
  writeFileSync(segment, segmentOfBefore());
  await compileCatalogue({ segments: [segment], out, nowMs: () => COMPILED_AT });
  expect([...Catalogue.open(await loadCatalogueImage(out)).records()]).toEqual(RECORDS_OF_BEFORE);
});

test('catalogues of the previous version are rejected, and the error says what to do', async () => {
  const file = join(folder, 'before');
  writeFileSync(file, catalogueOfBefore());
  await expect(loadCatalogueImage(file)).rejects.toThrow(/format version 5.*larder catalogue rebuild/);
});

test('the sections are those of format version 9', async () => {
  // Change these only with CATALOGUE_FORMAT_VERSION: older catalogues must be rejected with their version.
  const out = join(folder, 'out');
  await compileCatalogue({ segments: [await segmentOf(sample(3))], out, nowMs: () => COMPILED_AT });
  const bytes = readFileSync(out);
  const header = parseHeader(out, bytes.subarray(0, HEADER_BYTES));
  const { sections } = parseDirectory(out, header, bytes.subarray(header.directoryOffset));
  expect(CATALOGUE_FORMAT_VERSION).toBe(9);
  expect(sections.map(({ name, kind }) => `${name} ${kind}`).join(', ')).toBe(
    'records u8, places u32, id.starts u32, id.entries u32, gtin.starts u32, gtin.entries u32, ' +
      'search.termText u16, search.termStarts u32, search.termLetters u32, search.entries u32, search.entryStarts u32, ' +
      'search.postings u32, search.postingStarts u32, search.heads u32, search.blockHeads u32, ' +
      'search.bitmapRanges u32, search.bitmaps u32, search.bestPopularity u16, search.shapes u8, ' +
      'search.nameBuckets u32, search.nameDocuments u32, search.deletionBuckets u32, search.deletionTerms u32, ' +
      'search.trigramBuckets u32, search.trigramTerms u32, ' +
      'names.termText u16, names.termStarts u32, names.termLetters u32, names.nameTerms u32, names.nameStarts u32, ' +
      'names.nameOwners u32, names.nameLanguages u8, names.foodDocuments u32, names.foodFacts u32, names.postings u32, names.postingStarts u32',
  );
});

test('unknown sections are ignored, whatever their kind', async () => {
  const out = join(folder, 'out');
  await compileCatalogue({ segments: [await segmentOf(sample(30))], out, nowMs: () => COMPILED_AT });
  const known = Catalogue.open(await loadCatalogueImage(out));
  writeFileSync(out, withSections(readFileSync(out), { meanings: 'i8', 'search.meanings': 'f16' }));
  const catalogue = Catalogue.open(await loadCatalogueImage(out));
  expect([...catalogue.records()]).toEqual([...known.records()]);
  const { name } = [...known.records()].flatMap((record) => ('food' in record ? [record.food] : []))[0]!;
  expect(catalogue.search(name, 5)).toEqual(known.search(name, 5));
});

test('progress goes through all phases and each one ends complete', async () => {
  const seen: CompileProgress[] = [];
  await compileCatalogue({
    segments: [await segmentOf(sample(10))],
    out: join(folder, 'out'),
    nowMs: () => COMPILED_AT,
    onProgress: (progress) => seen.push(progress),
  });
  expect([...new Set(seen.map(({ phase }) => phase))]).toEqual(['read', 'merge', 'write', 'index']);
  for (const [, reports] of Map.groupBy(seen, ({ phase }) => phase)) {
    const last = reports.at(-1)!;
    expect(last.done).toBe(last.total);
  }
});

/** A catalogue file with further sections, by name and kind, as a later version may write them. */
function withSections(file: Buffer, kinds: Readonly<Record<string, string>>): Buffer {
  const { directoryOffset } = parseHeader('', file.subarray(0, HEADER_BYTES));
  const directory = JSON.parse(file.subarray(directoryOffset).toString());
  const content = Buffer.alloc(64, 'new');
  const parts = [file.subarray(0, directoryOffset)];
  for (const [at, [name, kind]] of Object.entries(kinds).entries()) {
    const offset = directoryOffset + at * content.length;
    directory.sections.push({ name, kind, offset, length: content.length, crc32: crc32(content) });
    parts.push(content);
  }
  const end = Buffer.from(JSON.stringify(directory));
  const changed = Buffer.concat([...parts, end]);
  changed.writeDoubleLE(changed.length, 16);
  changed.writeDoubleLE(changed.length - end.length, 24);
  changed.writeUInt32LE(end.length, 32);
  changed.writeUInt32LE(crc32(end), 36);
  changed.writeUInt32LE(crc32(changed.subarray(16, HEADER_BYTES)), 12);
  return changed;
}

function sample(count: number): Food[] {
  return fc.sample(arbitraryFood, { numRuns: count, seed: 11 });
}

async function segmentOf(foods: readonly Food[]): Promise<string> {
  const file = join(folder, 'a.segment');
  await writeSegment(file, foods);
  return file;
}
