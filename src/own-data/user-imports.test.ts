import { expect, it } from 'vitest';
import { Reading } from './import/reading.ts';
import { UserImports, type UserImportsOptions } from './user-imports.ts';

/** Imports whose files are read when `readOn` is called. */
function openImports() {
  const { promise, resolve: readOn } = Promise.withResolvers<void>();
  const nothing = { list: async () => [] };
  const options = {
    readFile: async () => {
      await promise;
      return { format: 'larder', reading: new Reading() };
    },
    store: { goals: nothing },
    nowMs: () => 0,
  } as unknown as UserImportsOptions;
  const imports = new UserImports(options);
  return {
    readOn,
    send: (tenant: string, userId: string, body: AsyncIterable<Buffer> = whole()) =>
      imports.run(body, { owner: { tenant, userId }, isPreview: false, admitFoods() {} }),
  };
}

async function* whole(pieces = 1, sizeBytes = 10): AsyncGenerator<Buffer> {
  for (let at = 0; at < pieces; at++) yield Buffer.alloc(sizeBytes);
}

/** A body of which nothing more comes after its first bytes, until it ends. */
function trickling(sizeBytes: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  async function* body() {
    yield Buffer.alloc(sizeBytes);
    await promise;
  }
  return { body: body(), end: resolve };
}

const MIB = 1024 * 1024;
const BUSY = { code: 'unavailable', details: { reason: 'busy' } };

it('bodies that trickle in keep nobody from importing', async () => {
  const { send, readOn } = openImports();
  const slow = Array.from({ length: 100 }, () => trickling(1));
  const sent = slow.map(({ body }, at) => send('eve', `e${at}`, body));
  readOn();
  expect(await send('eve', 'ann')).toMatchObject({ format: 'larder' });
  expect(await send('acme', 'bob')).toMatchObject({ format: 'larder' });
  for (const { end } of slow) end();
  // Each has a place for itself in turn; those that find none are told so.
  for (const outcome of await Promise.allSettled(sent))
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(BUSY);
});

it('a user has one import at a time, and a tenant leaves places to others', async () => {
  const { send, readOn } = openImports();
  const running = [send('acme', 'ann'), send('acme', 'bob'), send('other', 'ann'), send('other', 'bob')];
  await new Promise(setImmediate);
  await expect(send('acme', 'ann')).rejects.toMatchObject(BUSY);
  await expect(send('acme', 'cat')).rejects.toMatchObject(BUSY);
  await expect(send('third', 'ann')).rejects.toMatchObject(BUSY);
  readOn();
  await Promise.all(running);
  await send('acme', 'ann');
});

it('a tenant fills only a part of the memory for received files, also with tiny pieces', async () => {
  const { send, readOn } = openImports();
  readOn();
  const held = Array.from({ length: 3 }, () => trickling(12 * MIB));
  const sent = held.map(({ body }, at) => send('eve', `e${at}`, body));
  await new Promise(setImmediate);
  await expect(send('eve', 'ann')).rejects.toMatchObject(BUSY);
  await send('acme', 'ann', whole(1_000, 1));
  for (const { end } of held) end();
  await Promise.allSettled(sent);
  await expect(send('acme', 'ann', whole(200_000, 1))).rejects.toMatchObject(BUSY);
  await send('acme', 'ann');
});
