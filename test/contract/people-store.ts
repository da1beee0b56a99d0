import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PeopleStore } from '../../src/people/people-store.ts';

export interface OpenPeopleStore {
  readonly store: PeopleStore;
  /** Another way into the same rows, as another process has it. */
  readonly other: PeopleStore;
  close(): Promise<void>;
}

const NOW_MS = 1_800_000_000_000;
const person = (id: string, nameKey = id) => ({
  id,
  name: id,
  nameKey,
  password: `hash of ${id}`,
  createdAtMs: NOW_MS,
});
const session = (hash: string, personId: string, seenAtMs = NOW_MS) => ({
  hash,
  id: `id of ${hash}`,
  personId,
  createdAtMs: NOW_MS,
  seenAtMs,
  expiresAtMs: seenAtMs + 1_000,
});

/** What a `PeopleStore` promises over each adapter. `open` answers a store without people. */
export function peopleStoreContract(adapter: string, open: () => Promise<OpenPeopleStore>): void {
  describe(`PeopleStore over ${adapter}`, () => {
    let opened: OpenPeopleStore;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    test('one of many who use a link at once becomes the owner', async () => {
      await opened.store.addOwnerLink('link');
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          (at % 2 === 0 ? opened.store : opened.other).addPerson(person(`p${at}`), 'link'),
        ),
      );
      const [owner, ...others] = answers.filter((answer) => answer !== 'no-link');
      expect([others, owner]).toEqual([[], expect.objectContaining({ role: 'owner', createdAtMs: NOW_MS })]);
      expect(await opened.other.hasLink('link', NOW_MS)).toBe(false);
    });

    test('the first owner ends all links for one, and no new link is made', async () => {
      await opened.store.addOwnerLink('one');
      await opened.other.addOwnerLink('two');
      expect([await opened.store.hasPeople(), await opened.store.hasLink('two', NOW_MS)]).toEqual([
        false,
        true,
      ]);
      await opened.store.addPerson(person('ann'), 'one');
      await opened.other.addOwnerLink('three');
      expect(await opened.other.addPerson(person('bob'), 'two')).toBe('no-link');
      expect(await opened.other.addPerson(person('bob'), 'three')).toBe('no-link');
      expect(await opened.other.hasPeople()).toBe(true);
    });

    test('a person is found by the key of the name', async () => {
      await opened.store.addOwnerLink('link');
      const ann = await opened.store.addPerson(person('ann', 'key'), 'link');
      expect(await opened.other.findByName('key')).toEqual({ person: ann, password: 'hash of ann' });
      expect(await opened.other.findByName('ann')).toBeUndefined();
    });

    test('a session is found with its person, renewed and removed', async () => {
      await opened.store.addOwnerLink('link');
      const ann = await opened.store.addPerson(person('ann'), 'link');
      await opened.store.addSession(session('s', 'ann'));
      const { hash: _, personId: __, ...stored } = session('s', 'ann');
      expect(await opened.other.findSession('s')).toEqual({ person: ann, session: stored });
      await opened.store.renewSession('s', { ...stored, seenAtMs: NOW_MS + 5, expiresAtMs: NOW_MS + 9 });
      expect(await opened.other.findSession('s')).toMatchObject({
        session: { seenAtMs: NOW_MS + 5, expiresAtMs: NOW_MS + 9 },
      });
      await opened.other.removeSession('s');
      expect(await opened.store.findSession('s')).toBeUndefined();
    });

    test('a person has at most 50 sessions, those that were seen last', async () => {
      await opened.store.addOwnerLink('link');
      await opened.store.addPerson(person('ann'), 'link');
      for (let at = 0; at < 52; at++) await opened.store.addSession(session(`s${at}`, 'ann', NOW_MS + at));
      await opened.store.addSession(session('of bob', 'bob'));
      expect(await opened.other.findSession('s1')).toBeUndefined();
      expect(await opened.other.findSession('s2')).toBeDefined();
    });
  });
}
