import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../db/sqlite/database.ts';
import { Household } from './household.ts';
import { HouseholdStore } from './household-store.ts';
import { PeopleStore } from './people-store.ts';
import type { Person } from './person.ts';
import { secretHash } from './sessions.ts';

let nowMs = 1_800_000_000_000;
let household: Household;
let erased: string[];
let failing: boolean;
let ann: Person;
let bob: Person;
beforeEach(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'larder-household-'));
  const db = await openDatabase({ file: join(dir, 'larder.db') });
  const people = new PeopleStore(db);
  [erased, failing] = [[], false];
  household = new Household({
    store: new HouseholdStore(db),
    nowMs: () => nowMs,
    erase: async (userId) => {
      if (failing) throw new Error('the disk is full');
      erased.push(userId);
    },
  });
  const joinAs = async (id: string, link: string) =>
    (await people.addPerson(
      { id, name: id, nameKey: id, password: 'x', createdAtMs: nowMs },
      secretHash(link),
    )) as Person;
  await people.addOwnerLink(secretHash('link'));
  ann = await joinAs('ann', 'link');
  bob = await joinAs('bob', (await household.invite('member', 'cli')).link);
  return async () => {
    await db.close();
    await rm(dir, { recursive: true });
  };
});

test('what a person writes until the sessions have ended is erased once more', async () => {
  await household.remove(ann, bob.id);
  await household.eraseDeparted();
  expect(erased).toEqual(['bob']);
  nowMs += 11_000;
  await household.eraseDeparted();
  await household.eraseDeparted();
  expect(erased).toEqual(['bob', 'bob']);
});

test('an erasure that fails is repeated until it succeeds', async () => {
  failing = true;
  await expect(household.remove(bob, bob.id)).rejects.toThrow('the disk is full');
  expect(await household.people()).toEqual([ann]);
  nowMs += 11_000;
  await expect(household.eraseDeparted()).rejects.toThrow('the disk is full');
  failing = false;
  await household.eraseDeparted();
  expect(erased).toEqual(['bob']);
});
