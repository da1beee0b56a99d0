import { beforeEach, expect, test } from 'vitest';
import { MemoryLog } from '../../test/support/memory-log.ts';
import { storeFoods } from '../../test/support/store-foods.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { readConfig } from '../config/config.ts';
import { REFUSED } from '../http/operations/health.ts';
import { type CatalogueUpdates, openCatalogueUpdates } from './catalogue-source.ts';
import { ServedCatalogue } from './served-catalogue.ts';
import { Service } from './service.ts';

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
async function openChanging(): Promise<{ updates: CatalogueUpdates; newer: Promise<string> }> {
  await storeFoods(folder, 'First');
  const { source } = await openCatalogueUpdates(configOf(), log.logger, new AbortController().signal);
  const newer = Promise.withResolvers<string>();
  let isFirst = true;
  const load = async (...loading: Parameters<typeof source.load>) => {
    const image = await source.load(...loading);
    if (isFirst) newer.resolve(await storeFoods(folder, 'Second'));
    isFirst = false;
    return image;
  };
  return { updates: { source: { ...source, load }, following: undefined }, newer: newer.promise };
}

test('a service answers from a catalogue that came into use while it started', async () => {
  const { updates, newer } = await openChanging();
  const service = new Service({
    config: configOf(),
    updates,
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
  const { updates, newer } = await openChanging();
  const served = new ServedCatalogue({ updates, log: log.logger });
  const { name } = await served.begin();
  expect(name).not.toBe(await newer);
  served.follow();
  await expect.poll(() => served.status.catalogue?.name).toBe(await newer);
  await served.close();
});

test('a catalogue that is refused is told once and tried again, and the one before stays until it can be used', async () => {
  await storeFoods(folder, 'First');
  const { source } = await openCatalogueUpdates(configOf(), log.logger, new AbortController().signal);
  let refusals = 0;
  const served = new ServedCatalogue({
    updates: { source, following: undefined },
    async share() {
      if (refusals-- > 0) throw new Error('too little memory');
    },
    log: log.logger,
    onChange: () => problems.push(served.status.catalogueProblem),
  });
  const problems: (string | undefined)[] = [];
  const { name: first } = await served.begin();
  served.follow();
  refusals = 2;
  const newer = await storeFoods(folder, 'Second');
  await expect.poll(() => problems).toContain(REFUSED);
  expect(served.status.catalogue?.name).toBe(first);
  await expect
    .poll(() => served.status)
    .toMatchObject({ catalogue: { name: newer }, catalogueProblem: undefined });
  const refused = log.messages('error').filter((line) => line.startsWith('a catalogue was refused'));
  expect(refused).toHaveLength(1);
  await served.close();
});
