import { expect, test } from 'vitest';
import { newEntry } from '../../../test/support/diary-entries.ts';
import { type EntryRow, readFurther, toEntry, toEntryRow } from './entry-rows.ts';

const owner = { tenant: 'acme', userId: 'ana' };

test('further amounts are those of the version that wrote them: an older node changes entries without them', () => {
  const entry = newEntry({ amounts: { magnesium: 27.0005, zinc: 0 } });
  const row = toEntryRow(owner, entry) as unknown as EntryRow;
  expect(toEntry(row).amounts).toMatchObject({ magnesium: 27_001, zinc: 0 });
  const changed = toEntry({ ...row, version: 2 }).amounts;
  expect(changed).not.toHaveProperty('magnesium');
  expect(changed).not.toHaveProperty('zinc');
  expect(Object.keys(readFurther(row.further!, 1))).toEqual(['magnesium', 'zinc']);
  expect(readFurther(row.further!, 11)).toEqual({});
});

test('an entry without further amounts has none stored', () => {
  expect(toEntryRow(owner, newEntry({ amounts: { iron: 1 } }))).toHaveProperty('further', null);
});
