import { BusyError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { Passwords } from './passwords.ts';

test('only the password itself matches its hash, however its letters are composed', async () => {
  const passwords = new Passwords();
  const stored = await passwords.hash('crème brûlée', 'known');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await passwords.matches('crème brûlée'.normalize('NFD'), stored, 'stranger')).toBe(true);
  expect(await passwords.matches('creme brulee', stored, 'stranger')).toBe(false);
  expect(await passwords.hash('crème brûlée', 'known')).not.toBe(stored);
});

test('nothing matches where no hash is stored', async () => {
  expect(await new Passwords().matches('', undefined, 'stranger')).toBe(false);
});

test('the queue is bounded, and drains', async () => {
  const passwords = new Passwords();
  const asked = await Promise.allSettled(
    Array.from({ length: 20 }, () => passwords.matches('x', undefined, 'stranger')),
  );
  const refused = asked.filter((one) => one.status === 'rejected').map(({ reason }) => reason);
  expect(refused).toEqual(Array.from({ length: 3 }, () => expect.any(BusyError)));
  expect(await passwords.matches('x', await passwords.hash('x', 'known'), 'stranger')).toBe(true);
});

test('whoever is known is served before strangers, also where their queue is full', async () => {
  const passwords = new Passwords();
  const served: string[] = [];
  const ask = async (asker: 'known' | 'stranger') => {
    const answer = await passwords.matches('x', undefined, asker).catch((error) => error);
    served.push(answer instanceof BusyError ? 'refused' : asker);
  };
  const strangers = Array.from({ length: 18 }, () => ask('stranger'));
  await Promise.all([...strangers, ask('known')]);
  expect(served.slice(0, 3)).toEqual(['refused', 'stranger', 'known']);
  expect(served.filter((each) => each === 'stranger')).toHaveLength(17);
});
