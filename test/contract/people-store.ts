import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKeyText, hashKeyText, parseKeyId } from '../../src/access/key-format.ts';
import type { KeyStore, StoredKey } from '../../src/access/key-store.ts';
import type { HouseholdStore } from '../../src/people/household-store.ts';
import type { PeopleStore } from '../../src/people/people-store.ts';

interface Stores {
  readonly people: PeopleStore;
  readonly household: HouseholdStore;
  readonly keys: KeyStore;
}

export interface OpenPeopleStore {
  readonly store: Stores;
  /** Another connection to the same rows, as another process has it. */
  readonly other: Stores;
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

/** A key of the household, or of one person. */
function newKey(userId?: string, more: Partial<StoredKey['key']> = {}): StoredKey {
  const text = createKeyText(NOW_MS / 1000, randomBytes);
  const key = {
    id: parseKeyId(text)!,
    tenant: 'default',
    scopes: ['diary:read', 'diary:write'] as const,
    createdAt: NOW_MS / 1000,
    ...(userId !== undefined && { userId }),
    ...more,
  };
  return { key, secretHash: hashKeyText(text) };
}
const QUOTA = { keys: 3, endedKeys: 2, nowSeconds: NOW_MS / 1000 };

/** What a `PeopleStore` promises over each adapter. `open` answers a store without people. */
export function peopleStoreContract(adapter: string, open: () => Promise<OpenPeopleStore>): void {
  describe(`PeopleStore over ${adapter}`, () => {
    let opened: { readonly store: PeopleStore; readonly other: PeopleStore };
    let household: HouseholdStore;
    let elsewhere: HouseholdStore;
    let keys: { readonly here: KeyStore; readonly there: KeyStore };
    let close: () => Promise<void>;
    beforeEach(async () => {
      const { store, other, ...rest } = await open();
      opened = { store: store.people, other: other.people };
      [household, elsewhere] = [store.household, other.household];
      keys = { here: store.keys, there: other.keys };
      close = () => rest.close();
    });
    afterEach(() => close());

    /** The first is the owner. */
    async function join(...ids: string[]): Promise<void> {
      for (const [at, id] of ids.entries()) {
        if (at === 0) await opened.store.addOwnerLink(id);
        else await household.addInvitation(id, { id, role: 'member', expiresAtMs: NOW_MS + 1 }, NOW_MS);
        await opened.store.addPerson(person(id), id);
      }
    }

    test('one of many who use a link concurrently becomes the owner', async () => {
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

    test('the first owner invalidates all links for owners, and no new one is created', async () => {
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
      expect(await opened.other.findByName('key')).toEqual({
        ...{ person: ann, password: 'hash of ann' },
        asksPasskey: false,
      });
      expect(await opened.other.findByName('ann')).toBeUndefined();
    });

    test('a session is found with its person, renewed and removed', async () => {
      await opened.store.addOwnerLink('link');
      const ann = await opened.store.addPerson(person('ann'), 'link');
      await opened.store.addSession(session('s', 'ann'));
      const { hash: _, personId: __, ...stored } = session('s', 'ann');
      expect(await opened.other.findSession('s')).toEqual({
        person: ann,
        session: { ...stored, provedAtMs: NOW_MS },
        rights: new Map(),
      });
      await opened.store.renewSession('s', { ...stored, seenAtMs: NOW_MS + 5, expiresAtMs: NOW_MS + 9 });
      expect(await opened.other.findSession('s')).toMatchObject({
        session: { seenAtMs: NOW_MS + 5, expiresAtMs: NOW_MS + 9 },
      });
      await opened.other.removeSession('s');
      expect(await opened.store.findSession('s')).toBeUndefined();
    });

    test('a person has at most 50 sessions, and the least recently seen one is removed', async () => {
      await opened.store.addOwnerLink('link');
      await opened.store.addPerson(person('ann'), 'link');
      await join('owner', 'bob');
      for (let at = 0; at < 52; at++) await opened.store.addSession(session(`s${at}`, 'ann', NOW_MS + at));
      await opened.store.addSession(session('of bob', 'bob'));
      expect(await opened.other.findSession('s1')).toBeUndefined();
      expect(await opened.other.findSession('s2')).toBeDefined();
    });

    test('one of many who use an invitation concurrently joins, and an expired one is rejected', async () => {
      await join('ann');
      const expiresAtMs = NOW_MS + 10;
      await household.addInvitation('hash', { id: 'i', role: 'member', expiresAtMs }, NOW_MS);
      const late = await opened.other.addPerson({ ...person('late'), createdAtMs: expiresAtMs }, 'hash');
      expect(late).toBe('no-link');
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          (at % 2 === 0 ? opened.store : opened.other).addPerson(person(`p${at}`), 'hash'),
        ),
      );
      expect(answers.filter((answer) => answer !== 'no-link')).toEqual([
        expect.objectContaining({ role: 'member' }),
      ]);
      expect(await elsewhere.listInvitations(NOW_MS)).toEqual([]);
      expect((await elsewhere.listPeople()).map(({ role }) => role)).toEqual(['owner', 'member']);
    });

    test('at most 20 invitations are open, and expired ones do not count', async () => {
      const invite = (at: number, nowMs = NOW_MS) =>
        (at % 2 === 0 ? household : elsewhere).addInvitation(
          `hash ${at}`,
          { id: `i${at}`, role: 'owner', expiresAtMs: nowMs + 10 },
          nowMs,
        );
      const added = await Promise.all(Array.from({ length: 30 }, (_, at) => invite(at)));
      expect(added.filter(Boolean)).toHaveLength(20);
      const [first] = await household.listInvitations(NOW_MS);
      expect(first).toEqual({ id: expect.any(String), role: 'owner', expiresAtMs: NOW_MS + 10 });
      expect(await elsewhere.removeInvitation(first!.id)).toBe(true);
      expect(await household.removeInvitation(first!.id)).toBe(false);
      expect([await invite(40), await invite(41), await invite(42, NOW_MS + 10)]).toEqual([
        true,
        false,
        true,
      ]);
      expect(await household.listInvitations(NOW_MS + 10)).toHaveLength(1);
    });

    test('if both owners leave concurrently, one remains', async () => {
      await join('ann');
      await household.addInvitation('h', { id: 'i', role: 'owner', expiresAtMs: NOW_MS + 1 }, NOW_MS);
      await opened.store.addPerson(person('bob'), 'h');
      const gone = await Promise.all([
        household.removePerson('ann', NOW_MS),
        elsewhere.removePerson('bob', NOW_MS),
      ]);
      expect(gone.sort()).toEqual([false, true]);
      expect(await household.listPeople()).toHaveLength(1);
      expect(await household.removePerson('nobody', NOW_MS)).toBe(false);
    });

    test('open invitations go with an owner, not with a member', async () => {
      await join('ann', 'bob');
      const invite = (id: string, role: 'owner' | 'member') =>
        household.addInvitation(`hash ${id}`, { id, role, expiresAtMs: NOW_MS + 1 }, NOW_MS);
      await invite('second', 'owner');
      await opened.store.addPerson(person('carl'), 'hash second');
      await invite('third', 'member');
      expect(await elsewhere.removePerson('bob', NOW_MS)).toBe(true);
      expect(await household.listInvitations(NOW_MS)).toHaveLength(1);
      expect(await elsewhere.removePerson('carl', NOW_MS)).toBe(true);
      expect(await household.listInvitations(NOW_MS)).toEqual([]);
    });

    test('a person who leaves has no sessions, no rights and cannot sign in, and is recorded until erased', async () => {
      await join('ann', 'bob');
      await opened.store.addSession(session('s', 'bob'));
      await household.setSharing('bob', { general: 'write', people: new Map() });
      await household.setSharing('ann', { general: 'none', people: new Map([['bob', 'write']]) });
      expect(await elsewhere.removePerson('bob', NOW_MS)).toBe(true);
      expect(await opened.store.findSession('s')).toBeUndefined();
      expect(await opened.store.addSession(session('t', 'bob'))).toBe(false);
      expect(await opened.store.rightsOf('ann')).toEqual(new Map());
      expect(await household.sharingOf('ann')).toEqual({ general: 'none', people: new Map() });
      expect(await household.listDepartures(NOW_MS, 10)).toEqual([]);
      expect(await household.listDepartures(NOW_MS + 1, 10)).toEqual(['bob']);
      await elsewhere.endDeparture('bob');
      expect(await household.listDepartures(NOW_MS + 1, 10)).toEqual([]);
    });

    test('the keys of a person are found unchanged, and listed alone', async () => {
      await join('ann', 'bob');
      const [own, others, shared] = [newKey('ann', { name: 'Scale' }), newKey('bob'), newKey()];
      for (const key of [own, others, shared]) expect(await keys.here.add(key, QUOTA)).toBe(true);
      for (const reader of [keys.here, keys.there]) {
        expect((await reader.find(own.key.id))?.key).toEqual(own.key);
        expect(await reader.list({ tenant: 'default', userId: 'ann', limit: 9 })).toEqual([own.key]);
      }
      expect(await keys.there.list({ tenant: 'default', limit: 9 })).toHaveLength(3);
      expect(await keys.there.changeLimits(own.key.id, { search: 5 })).toEqual({
        ...own.key,
        limits: { search: 5 },
      });
      expect(await keys.here.revoke(own.key.id, 200)).toMatchObject({ userId: 'ann', revokedAt: 200 });
    });

    test('keys of people and of the tenant are counted apart, and so are those that ended', async () => {
      await join('ann', 'bob');
      const ended = Array.from({ length: 4 }, (_, at) =>
        newKey('ann', { revokedAt: QUOTA.nowSeconds - at - 1 }),
      );
      for (const key of ended) await keys.here.add(key);
      const added = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          (at % 2 === 0 ? keys.here : keys.there).add(newKey('ann'), QUOTA),
        ),
      );
      expect(added.filter(Boolean)).toHaveLength(QUOTA.keys);
      const listed = await keys.here.list({ tenant: 'default', userId: 'ann', limit: 99 });
      expect(listed).toHaveLength(QUOTA.keys + QUOTA.endedKeys);
      for (const userId of ['bob', undefined])
        for (let at = 0; at <= QUOTA.keys; at++)
          expect(await keys.here.add(newKey(userId), QUOTA)).toBe(at < QUOTA.keys);
    });

    test('a person who leaves has no keys, and gets none meanwhile or later', async () => {
      await join('ann', 'bob', 'cem');
      await keys.here.add(newKey('bob'));
      await keys.here.add(newKey('ann'));
      const [isGone] = await Promise.all([
        elsewhere.removePerson('bob', NOW_MS),
        ...Array.from({ length: 5 }, () => keys.here.add(newKey('bob'), QUOTA)),
      ]);
      expect(isGone).toBe(true);
      expect(await keys.there.add(newKey('bob'))).toBe(false);
      const left = await keys.there.list({ tenant: 'default', limit: 99 });
      expect(left.map(({ userId }) => userId)).toEqual(['ann']);
    });

    test('everybody reads until a person says otherwise, for all or for one', async () => {
      await join('ann', 'bob', 'cem');
      expect(await household.sharingOf('ann')).toEqual({ general: 'read', people: new Map() });
      const read = new Map([
        ['ann', 'read'],
        ['cem', 'read'],
      ]);
      expect(await opened.other.rightsOf('bob')).toEqual(read);
      const people = new Map([
        ['bob', 'write'],
        ['nobody', 'write'],
        ['ann', 'none'],
      ] as const);
      await household.setSharing('ann', { general: 'none', people });
      expect(await elsewhere.sharingOf('ann')).toEqual({
        general: 'none',
        people: new Map([['bob', 'write']]),
      });
      expect(await opened.other.rightsOf('bob')).toEqual(read.set('ann', 'write'));
      expect(await opened.other.rightsOf('cem')).toEqual(new Map([['bob', 'read']]));
      await household.setSharing('ann', { general: 'read', people: new Map([['bob', 'none']]) });
      expect(await opened.other.rightsOf('bob')).toEqual(new Map([['cem', 'read']]));
    });

    test('a new password ends all other sessions, and the old one is rejected', async () => {
      await join('ann');
      for (const hash of ['s', 't']) await opened.store.addSession(session(hash, 'ann'), 'hash of ann');
      const change = { before: 'hash of ann', password: 'new', kept: 't' };
      expect(await opened.other.changePassword('ann', change)).toBe(true);
      expect(await opened.store.changePassword('ann', change)).toBe(false);
      expect(await opened.store.addSession(session('u', 'ann'), 'hash of ann')).toBe(false);
      expect((await opened.other.listSessions('ann', NOW_MS)).map(({ hash }) => hash)).toEqual(['t']);
      expect((await opened.store.findPerson('ann'))?.password).toBe('new');
    });

    test('sessions of a person are listed by the time they were last seen, and ended by their ids', async () => {
      await join('ann', 'bob');
      await opened.store.addSession(session('s', 'ann', NOW_MS - 500));
      await opened.store.addSession({ ...session('t', 'ann'), device: 'Firefox on Linux' });
      await opened.store.addSession(session('old', 'ann', NOW_MS - 1_000));
      const found = await opened.other.listSessions('ann', NOW_MS);
      expect(found.map(({ hash, device }) => [hash, device])).toEqual([
        ['t', 'Firefox on Linux'],
        ['s', undefined],
      ]);
      expect(await opened.store.removeSessionOf('bob', 'id of s')).toBe(false);
      expect(await opened.store.removeSessionOf('ann', 'id of s')).toBe(true);
      expect(await opened.other.listSessions('ann', NOW_MS)).toHaveLength(1);
    });

    test('a person can change the name, but not to an existing one', async () => {
      await join('ann', 'bob');
      expect(await opened.store.rename('ann', 'Bob', 'bob')).toBe('name-taken');
      expect(await opened.store.rename('nobody', 'X', 'x')).toBeUndefined();
      expect(await opened.other.rename('ann', 'Änn', 'ann')).toMatchObject({ id: 'ann', name: 'Änn' });
    });

    test('a household has at most 100 people', async () => {
      await join('ann', ...Array.from({ length: 99 }, (_, at) => `p${at}`));
      await household.addInvitation('one', { id: 'one', role: 'member', expiresAtMs: NOW_MS + 1 }, NOW_MS);
      expect(await opened.store.addPerson(person('more'), 'one')).toBe('no-link');
      expect(await household.listPeople()).toHaveLength(100);
    });
  });
}
