import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { OperatorError, UsageError } from '@larder/core/errors.ts';
import { beforeEach, expect, test } from 'vitest';
import { KeyStore } from '../access/key-store.ts';
import { createKeyIssuer } from '../app/keys.ts';
import { openDatabase } from '../app/open-backend.ts';
import { readConfig } from '../config/config.ts';
import { HouseholdStore } from '../people/household-store.ts';
import { Passwords } from '../people/passwords.ts';
import { PeopleStore } from '../people/people-store.ts';
import { secretHash } from '../people/sessions.ts';
import { createProgram } from './program.ts';

let env: Record<string, string>;
beforeEach(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'larder-user-'));
  env = { LARDER_DATA_DIR: dir, LARDER_PUBLIC_URL: 'https://food.example/' };
  await (await openDatabase(readConfig(env))).close();
  return () => rm(dir, { recursive: true });
});

let told: string;
async function larder(...words: string[]): Promise<string> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  await (await createProgram({ env, out, err })).parseAsync(['node', 'larder', ...words]);
  told = err.setEncoding('utf8').read() ?? '';
  return out.setEncoding('utf8').read() ?? '';
}

async function withStores<T>(
  use: (people: PeopleStore, household: HouseholdStore) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(readConfig(env));
  try {
    return await use(new PeopleStore(database), new HouseholdStore(database));
  } finally {
    await database.close();
  }
}

async function joinAs(id: string, name: string, ...words: string[]): Promise<void> {
  const { url } = JSON.parse(await larder('user', 'invite', '--json', ...words));
  const link = url.replace('https://food.example/welcome#link=', '');
  const person = { id, name, nameKey: name.toLowerCase(), password: 'x', createdAtMs: Date.now() };
  await withStores((people) => people.addPerson(person, secretHash(link)));
}

test('an invitation is a link, through which a person joins with its role', async () => {
  await expect(larder('user', 'invite')).rejects.toThrow(OperatorError);
  await joinAs('1', 'Ann', '--role', 'owner');
  expect(await larder('user', 'invite')).toMatch(/^https:\/\/food\.example\/welcome#link=[\w-]{43}\n$/);
  expect(told).toMatch(/^The first person who opens this link joins as member, until /);
  await joinAs('2', 'Bob');
  const lines = (await larder('user', 'list', '--json')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { id: '1', name: 'Ann', role: 'owner' },
    { id: '2', name: 'Bob', role: 'member' },
  ]);
  expect(await larder('user', 'list')).toMatch(/^id +role +joined +name\n1 +owner +\S+ +Ann\n2 +member/);
});

test('too many invitations are rejected', async () => {
  for (let at = 0; at < 20; at++) await larder('user', 'invite', '--role', 'owner');
  await expect(larder('user', 'invite', '--role', 'owner')).rejects.toThrow(UsageError);
});

test('without people the list says how the first person joins', async () => {
  expect(await larder('user', 'list')).toBe('');
  expect(told).toContain('link of the first owner');
});

test('a person is removed by name or id, but not the last owner', async () => {
  await joinAs('1', 'Ann', '--role', 'owner');
  await joinAs('2', 'Bob');
  await joinAs('3', 'Cem');
  expect(await larder('user', 'remove', 'BOB')).toContain('Bob is removed.');
  expect(JSON.parse(await larder('user', 'remove', '3', '--json'))).toEqual({ id: '3', name: 'Cem' });
  await expect(larder('user', 'remove', 'Ann')).rejects.toThrow('Ann is the last owner');
  await expect(larder('user', 'remove', 'Bob')).rejects.toThrow('There is nobody called "Bob"');
  expect(await withStores((_, household) => household.listDepartures(Date.now() + 1, 9))).toEqual(['2', '3']);
});

test('what an owner made for others is listed before a removal, and ends or is handed over', async () => {
  await joinAs('1', 'Ann', '--role', 'owner');
  await joinAs('2', 'Bob');
  const makeOwner = async (id: string, name: string) => {
    await joinAs(id, name, '--role', 'owner');
    const database = await openDatabase(readConfig(env));
    const issuer = createKeyIssuer(new KeyStore(database));
    const { key } = await issuer.create({
      tenant: 'default',
      scopes: ['scan'],
      name: `Tablet of ${name}`,
      createdBy: `person:${id}`,
    });
    await database.close();
    return key.id;
  };
  const isLive = async (id: string) => {
    const database = await openDatabase(readConfig(env));
    const stored = await new KeyStore(database).find(id);
    await database.close();
    return [stored!.key.revokedAt === undefined, stored!.key.createdBy];
  };
  const [cem, dan] = [await makeOwner('3', 'Cem'), await makeOwner('4', 'Dan')];
  await expect(larder('user', 'remove', 'Cem')).rejects.toThrow(
    new RegExp(`Cem made for others:\n  key ${cem} of tenant default: Tablet of Cem\n.*--hand-over-to NAME`),
  );
  await expect(larder('user', 'remove', 'Cem', '--hand-over-to', 'Bob')).rejects.toThrow(/not another owner/);
  await expect(larder('user', 'remove', 'Cem', '--hand-over-to', 'Cem')).rejects.toThrow(/not another owner/);
  expect(await isLive(cem)).toEqual([true, 'person:3']);
  expect(await larder('user', 'remove', 'Cem', '--hand-over-to', 'Ann')).toMatch(/handed over.*rotate them/);
  expect(await isLive(cem)).toEqual([true, 'person:1']);
  const removed = JSON.parse(await larder('user', 'remove', 'Dan', '--end-credentials', '--json'));
  expect(removed).toMatchObject({
    name: 'Dan',
    credentials: { keys: [{ id: dan }], webhooks: [], fate: 'ended' },
  });
  expect((await isLive(dan))[0]).toBe(false);
});

test('a new password is shown once and ends all sessions', async () => {
  await joinAs('1', 'Ann', '--role', 'owner');
  const times = { createdAtMs: 1, seenAtMs: 1, expiresAtMs: Number.MAX_SAFE_INTEGER };
  await withStores((people) => people.addSession({ hash: 's', id: 's', personId: '1', ...times }));
  const password = (await larder('user', 'password', 'ann')).trim();
  expect(password).toMatch(/^[\w-]{16}$/);
  await withStores(async (people) => {
    expect(await people.findSession('s')).toBeUndefined();
    expect(await new Passwords().matches(password, (await people.findPerson('1'))?.password, 'known')).toBe(
      true,
    );
  });
});

test.each([['invite'], ['list'], ['remove'], ['password']])(
  'the help of user %s has an example',
  async (name) => {
    const shown = await larder('user', name, '--help').catch((error) => error.code);
    expect(shown).toBe('commander.helpDisplayed');
  },
);
