import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { ensureCatalogue, openCatalogueStore } from './catalogue-store.ts';

test('of a service and a worker that start together in an empty folder, one makes the catalogue for both', async () => {
  using folder = tempFolder();
  const config = { dataDir: folder.path, diskReserveMb: 0 };
  await Promise.all([ensureCatalogue(config), ensureCatalogue(config)]);
  expect(await openCatalogueStore(config).list()).toHaveLength(1);
});
