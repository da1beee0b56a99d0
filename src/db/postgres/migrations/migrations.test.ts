import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MIGRATIONS } from './migrations.ts';

const folder = new URL('./', import.meta.url);
const files = readdirSync(folder).filter((file) => !file.startsWith('migrations.'));

/** The source of each migration, by its name. */
const texts = new Map<string, string>();
for (const file of files) {
  const exported = Object.entries(await import(new URL(file, folder).href));
  const parts = readFileSync(new URL(file, folder), 'utf8').split(/^export const /m);
  for (const [constant, migration] of exported) {
    const name = Object.keys(MIGRATIONS).find((each) => MIGRATIONS[each] === migration);
    texts.set(name ?? `${constant} of ${file}`, parts.find((part) => part.startsWith(`${constant}:`))!);
  }
}
const names = [...texts.keys()].toSorted();

test('every migration of the files is listed, in its order', () => {
  expect(Object.keys(MIGRATIONS)).toEqual(names);
  expect(names.every((name) => texts.get(name)!.includes('async up(db)'))).toBe(true);
});

/** What the nodes of the version before, which are still running, would trip over. */
const CONTRACTING = /\b(drop|rename|truncate|set not null|alter column|add constraint)\b/i;

/** What looks contracting, and why nobody trips over it. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  // A trigger fills in what they leave out, and no statement of theirs names the key.
  '0008-scans-by-owner': [
    'alter table scans alter column user_id set not null',
    'alter table scans drop constraint scans_pkey, add primary key (tenant_id, user_id, id)',
    'drop index scans_by_user',
  ],
  // Another index takes its place, and no statement names either.
  '0013-food-owners': ['drop index live_foods_deleted'],
  '0019-image-bytes': ['drop index scans_with_image'],
};

test.each(names)('%s only expands: nodes of the version before go on beside it', (name) => {
  const statements = texts.get(name)!.match(/sql`[^`]*`/g) ?? [];
  for (const statement of statements) {
    if (HARMLESS[name]?.includes(statement.slice('sql`'.length, -1))) continue;
    expect(statement).not.toMatch(CONTRACTING);
    if (/add column/i.test(statement) && /not null/i.test(statement)) expect(statement).toMatch(/default/i);
  }
});

/** The first ones were written before anybody had rows. */
const LATER = names.filter((name) => name > '0009');

test('an index on a table that is in use may have been built beforehand, without holding up writes', () => {
  for (const name of LATER) {
    const text = texts.get(name)!;
    for (const [statement, table] of text.matchAll(/create (?:unique )?index [^`]*? on (\w+)/gi)) {
      if (text.includes(`create table ${table}`)) continue;
      expect(statement).toMatch(/if not exists/i);
    }
  }
});
