import type { AddressInfo } from 'node:net';
import { openObjects } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { openTestServer } from '../support/test-server.ts';
import { type OpenedObjectStore, objectStoreContract } from './object-store.ts';

objectStoreContract('A folder', openFolder);

async function openFolder(): Promise<OpenedObjectStore> {
  const fixture = await openTestServer();
  await fixture.server.listen({ host: '127.0.0.1', port: 0 });
  return {
    store: fixture.objects,
    // Addresses say when they end, so the clock of who makes them plays no part.
    other: (await openObjects(readConfig({ LARDER_DATA_DIR: fixture.dataDir }))).store,
    origin: `http://127.0.0.1:${(fixture.server.server.address() as AddressInfo).port}`,
    can: { limitUnknownLengths: true, refuseSecondUploads: true },
    close: async () => fixture[Symbol.asyncDispose](),
  };
}
