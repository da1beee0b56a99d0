import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { OperatorError } from '@larder/core/errors.ts';
import { expect, it } from 'vitest';
import { assertPortFree } from './listening.ts';

it.each([false, true])(
  'a port in use is refused, also one that is open to sharing (%s)',
  async (reusePort) => {
    const other = createServer().listen({ host: '127.0.0.1', port: 0, reusePort });
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const check = assertPortFree('127.0.0.1', port);
    await expect(check).rejects.toThrow(OperatorError);
    await expect(check).rejects.toThrow(/in use.*LARDER_PORT/);
    other.close();
  },
);

it('an address of another machine is refused, naming the setting', async () => {
  await expect(assertPortFree('192.0.2.1', 0)).rejects.toThrow('LARDER_HOST');
});

it('a free port passes and stays free', async () => {
  await assertPortFree('127.0.0.1', 0);
});
