import { beforeEach, expect, test } from 'vitest';
import { MemoryLog } from '../../test/support/memory-log.ts';
import { storeFoods } from '../../test/support/store-foods.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { readConfig } from '../config/config.ts';
import { openServedCatalogues, type ServedCatalogues } from './catalogue-source.ts';
import { createService } from './create-service.ts';
import { FollowedCatalogue } from './served-catalogue.ts';

const log = new MemoryLog('info');
let folder: string;
beforeEach(() => {
  const temp = tempFolder();
  folder = temp.path;
  return () => temp[Symbol.dispose]();
});

const configOf = () =>
  readConfig({ LARDER_DATA_DIR: folder, LARDER_PORT: '0', LARDER_THREADS: '1', LARDER_LOG_LEVEL: 'silent' });

/** Another catalogue comes into use while the first one is loaded. */
async function openChanging(): Promise<{ catalogues: ServedCatalogues; newer: Promise<string> }> {
  await storeFoods(folder, 'First');
  const catalogues = await openServedCatalogues(configOf(), log.logger);
  const newer = Promise.withResolvers<string>();
  let isFirst = true;
  const loadImage = async (file: string) => {
    const image = await catalogues.loadImage(file);
    if (isFirst) newer.resolve(await storeFoods(folder, 'Second'));
    isFirst = false;
    return image;
  };
  return { catalogues: { ...catalogues, loadImage }, newer: newer.promise };
}

test('a service answers from a catalogue that came into use while it started', async () => {
  const { catalogues, newer } = await openChanging();
  const service = createService({
    config: configOf(),
    catalogues,
    logFormat: 'json',
    log: log.logger,
    onFatal: (cause) => expect.unreachable(cause.message),
  });
  const { catalogue } = await service.start();
  try {
    expect(catalogue.name).not.toBe(await newer);
    const name = await newer;
    await log.until((line) => (line['catalogue'] as { name?: string } | undefined)?.name === name);
  } finally {
    await service.stop();
  }
});

test('a worker answers from a catalogue that came into use while it started', async () => {
  const { catalogues, newer } = await openChanging();
  const loaded = Promise.withResolvers<string>();
  const followed = await FollowedCatalogue.open({
    catalogues: catalogues.source,
    loadImage: catalogues.loadImage,
    log: log.logger,
    onLoaded: async (name) => name === (await newer) && loaded.resolve(name),
    onRefused: expect.unreachable,
  });
  expect(await loaded.promise).toBe(await newer);
  await followed.close();
});
