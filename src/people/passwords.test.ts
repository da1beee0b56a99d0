import { BusyError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { Passwords } from './passwords.ts';

test('only the password itself matches its hash, however its letters are composed', async () => {
  const passwords = new Passwords();
  const stored = await passwords.hash('crème brûlée');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await passwords.matches('crème brûlée'.normalize('NFD'), stored)).toBe(true);
  expect(await passwords.matches('creme brulee', stored)).toBe(false);
  expect(await passwords.hash('crème brûlée')).not.toBe(stored);
});

test('nothing matches where no hash is stored', async () => {
  expect(await new Passwords().matches('', undefined)).toBe(false);
});

test('the queue is bounded, and drains', async () => {
  const passwords = new Passwords();
  const asked = await Promise.allSettled(Array.from({ length: 20 }, () => passwords.matches('x', undefined)));
  const refused = asked.filter((one) => one.status === 'rejected').map(({ reason }) => reason);
  expect(refused).toEqual(Array.from({ length: 4 }, () => expect.any(BusyError)));
  expect(await passwords.matches('x', await passwords.hash('x'))).toBe(true);
});
