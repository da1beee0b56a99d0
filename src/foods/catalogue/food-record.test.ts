import { FOOD_SOURCES, type Food, ORIGINS, parseFoodId, toFoodId } from '@larder/core/food.ts';
import { toGtin } from '@larder/core/gtin.ts';
import { languageBit } from '@larder/core/name-languages.ts';
import { NUTRIENT_KEYS } from '@larder/core/nutrients.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryFood, arbitraryId, arbitraryProduct } from '../../../test/support/arbitrary-food.ts';
import { runs } from '../../../test/support/runs.ts';
import { LOCAL_NAMES_PART, NAME_LANGUAGES_PART, NOTES_NUMBER, type StoredRecord } from './food-record.ts';
import { hasId, localNamesOf, readHead, readKeys, readRecord } from './food-record-reader.ts';
import { MAX_ID_BYTES, writeId, writeRecord } from './food-record-writer.ts';
import { RecordBytesReader, RecordBytesWriter } from './record-bytes.ts';

const YOGURT: Food = {
  id: toFoodId('off', '3017620422003'),
  source: 'public_dataset',
  name: 'Strawberry yogurt, low fat',
  brand: 'Example Farms',
  aliases: [],
  barcode: '3017620422003',
  gtin: toGtin('3017620422003'),
  basis: 'g',
  per100: {
    energy: 95,
    protein: 3.4,
    fat: 1.5,
    carbohydrates: 16.2,
    fiber: 0.3,
    sugars: 15.9,
    saturatedFat: 0.9,
    sodium: 52,
  },
  servings: [{ value: 125, unit: 'g', basisAmount: 125, label: '1 pot (125 g)' }],
  popularity: 130,
  createdAt: 1_700_000_000,
  updatedAt: 1_760_000_000,
};

/** Details of later versions, which do not begin with the languages of names. */
const arbitraryDetails = fc
  .uint8Array({ maxLength: 300 })
  .filter(([part]) => part !== NAME_LANGUAGES_PART && part !== LOCAL_NAMES_PART)
  .map((bytes) => Buffer.from(bytes));
const arbitraryRecord: fc.Arbitrary<StoredRecord> = fc.oneof(
  fc.record(
    {
      food: arbitraryFood,
      otherIds: fc.array(arbitraryId, { maxLength: 3 }),
      unknownNutrients: fc.array(
        fc.tuple(
          fc.integer({ min: NUTRIENT_KEYS.length, max: 100_000 }).filter((number) => number !== NOTES_NUMBER),
          fc.nat({ max: 1_000 }),
        ),
        { minLength: 1 },
      ),
      details: arbitraryDetails,
    },
    { requiredKeys: ['food', 'otherIds'] },
  ),
  fc.record(
    {
      known: arbitraryProduct,
      otherIds: fc.array(arbitraryId, { maxLength: 3 }),
      details: arbitraryDetails,
    },
    { requiredKeys: ['known', 'otherIds'] },
  ),
);

test('a food keeps the languages of its names, beside details of a later version', () => {
  const food = { ...YOGURT, aliases: ['Erdbeerjoghurt'], nameLanguages: ['en', 'de'].map(languageBit) };
  for (const record of [
    { food, otherIds: [] },
    { food, otherIds: [], details: Buffer.from('more') },
  ])
    expect(readRecord(new RecordBytesReader(toBytes(record)))).toEqual(record);
});

test('names by language are kept beside the food, also through a second record', () => {
  const localNames = { ja: ['いちごヨーグルト'], sv: ['jordgubbsyoghurt', 'yoghurt'] };
  const nameLanguages = [languageBit('en')];
  const read = readRecord(
    new RecordBytesReader(toBytes({ food: { ...YOGURT, nameLanguages, localNames }, otherIds: [] })),
  );
  expect(localNamesOf(read)).toEqual(localNames);
  expect(read).toMatchObject({ food: { ...YOGURT, nameLanguages } });
  expect(localNamesOf(readRecord(new RecordBytesReader(toBytes(read))))).toEqual(localNames);
  expect(localNamesOf({ food: YOGURT, otherIds: [] })).toEqual({});
});

test('a food or product is unchanged after writing and reading its record', () => {
  fc.assert(
    fc.property(arbitraryRecord, (record) => {
      const bytes = toBytes(record);
      const reader = new RecordBytesReader(bytes);
      expect(readRecord(reader)).toEqual(record);
      expect(reader.position).toBe(bytes.length);
    }),
    { numRuns: runs(1_000) },
  );
});

test('the partial reads of a record for indexes agree with the complete one', () => {
  fc.assert(
    fc.property(arbitraryRecord, (record) => {
      const bytes = toBytes(record);
      const { name, brand, gtin } = 'food' in record ? record.food : record.known;
      const keys = readKeys(new RecordBytesReader(bytes));
      expect(keys).toEqual({
        known: 'known' in record,
        gtin: Number(gtin ?? 0),
        popularity: 'food' in record ? record.food.popularity : 0,
        origin: parseFoodId(('food' in record ? record.food : record.known).id)!.origin,
        name,
        ...(brand !== undefined && { brand }),
        aliases: 'food' in record ? record.food.aliases : [],
        otherIds: record.otherIds,
      });
      const head = new RecordBytesReader(bytes);
      expect(readHead(head)).toEqual({ known: keys.known, gtin: keys.gtin, popularity: keys.popularity });
      expect(head.skipText()).toBe([...name].length);
    }),
  );
});

test('a record is found by its id and by merged ids, and by no other', () => {
  fc.assert(
    fc.property(arbitraryRecord, arbitraryId, (record, stranger) => {
      const bytes = toBytes(record);
      const own = 'food' in record ? record.food.id : record.known.id;
      const ids = [own, ...record.otherIds];
      for (const id of [...ids, stranger]) {
        expect(hasId(new RecordBytesReader(bytes), idBytes(id))).toBe(ids.includes(id));
      }
    }),
  );
});

test('every valid id fits into a record', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ORIGINS), fc.string({ unit: 'binary', maxLength: 61 }), (origin, key) => {
      const parts = parseFoodId(`${origin}:${key}`);
      if (parts !== undefined) expect(writeId(Buffer.alloc(MAX_ID_BYTES), parts).length).toBeGreaterThan(1);
    }),
  );
  expect(parseFoodId(`off:${'€'.repeat(60)}`)).toBeUndefined();
});

test('amounts are kept as decimals: no digit is invented, seven are kept', () => {
  for (const [given, kept] of [
    [3.4, 3.4],
    [28.000000000000004, 28],
    [0.1 + 0.2, 0.3],
    [1 / 3, 0.3333333],
    [0, 0],
    [1e-12, 1e-7],
    [123_456_789, 123_456_789],
  ] as const) {
    expect(throughDecimal(given)).toBe(kept);
  }
});

test.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('an amount of %d is rejected', (amount) => {
  expect(() => throughDecimal(amount)).toThrow(RangeError);
});

test('a typical packaged food takes at most 100 bytes', () => {
  expect(toBytes({ food: YOGURT, otherIds: [] }).length).toBeLessThanOrEqual(100);
});

test('the lists that give records their meaning are those of format version 4', () => {
  // Append to these only with a new SEGMENT_FORMAT_VERSION: older programs must refuse what they cannot read.
  expect(ORIGINS).toEqual(['off', 'fdc', 'starter', 'ciqual', 'bls', 'manual', 'table']);
  expect(FOOD_SOURCES).toEqual(['public_dataset', 'third_party_api', 'manual_entry']);
  // Append to these at any time, and change no position.
  expect(NUTRIENT_KEYS.join()).toBe(
    'energy,protein,fat,carbohydrates,fiber,sugars,addedSugars,saturatedFat,transFat,' +
      'cholesterol,sodium,potassium,calcium,iron,vitaminD',
  );
});

test('data that a later version adds to a record is preserved', () => {
  const later = {
    food: YOGURT,
    otherIds: [],
    unknownNutrients: [
      [NUTRIENT_KEYS.length, 0.12],
      [4_000, 3],
    ],
    details: Buffer.from('something of a later version'),
  } as const;
  const bytes = toBytes(later);
  const reader = new RecordBytesReader(bytes);
  expect(readRecord(reader)).toEqual(later);
  expect(reader.position).toBe(bytes.length);
  expect(toBytes(readRecord(new RecordBytesReader(bytes)))).toEqual(bytes);
  expect(readKeys(new RecordBytesReader(bytes)).name).toBe(YOGURT.name);
  expect(hasId(new RecordBytesReader(bytes), idBytes(YOGURT.id))).toBe(true);
});

function toBytes(record: StoredRecord): Buffer {
  const writer = new RecordBytesWriter();
  writeRecord(writer, record);
  return Buffer.from(writer.bytes);
}

function idBytes(id: Food['id']): Buffer {
  return writeId(Buffer.alloc(MAX_ID_BYTES), parseFoodId(id)!);
}

function throughDecimal(value: number): number {
  const writer = new RecordBytesWriter();
  writer.decimal(value);
  return new RecordBytesReader(writer.bytes).decimal();
}
