import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryLog } from '../../../test/support/memory-log.ts';
import { storeFoods } from '../../../test/support/store-foods.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { readConfig } from '../../config/config.ts';
import type { ActiveCatalogue } from '../../foods/published/active-catalogue.ts';
import { REFUSED } from '../../http/service/health.ts';
import { openActiveCatalogue } from '../open-active-catalogue.ts';
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

const openActive = () =>
  openActiveCatalogue(configOf(), { log: log.logger, signal: new AbortController().signal });

/** Another catalogue becomes active while the first one is loaded. */
async function openChanging(): Promise<{ active: ActiveCatalogue; newer: Promise<string> }> {
  await storeFoods(folder, 'First');
  const active = await openActive();
  const newer = Promise.withResolvers<string>();
  let isFirst = true;
  const load = async (...loading: Parameters<typeof active.load>) => {
    const image = await active.load(...loading);
    if (isFirst) newer.resolve(await storeFoods(folder, 'Second'));
    isFirst = false;
    return image;
  };
  return { active: { ...active, load }, newer: newer.promise };
}

test('a service answers from a catalogue that was activated while it started', async () => {
  const { active, newer } = await openChanging();
  const service = new Service({
    config: configOf(),
    active,
    logFormat: 'json',
    log: log.logger,
    onFatal: (cause) => expect.unreachable(cause.message),
  });
  const { catalogue } = await service.start();
  try {
    expect(catalogue?.name).not.toBe(await newer);
    const name = await newer;
    await log.until((line) => (line['catalogue'] as { name?: string } | undefined)?.name === name);
  } finally {
    await service.stop();
  }
});

test('a worker answers from a catalogue that was activated while it started', async () => {
  const { active, newer } = await openChanging();
  const served = new ServedCatalogue({ active, log: log.logger });
  const first = await served.begin();
  expect(first?.name).not.toBe(await newer);
  served.follow();
  await expect.poll(() => served.status.catalogue?.name).toBe(await newer);
  await served.close();
});

test('a rejected catalogue is reported once and tried again, and the previous one stays until it can be used', async () => {
  await storeFoods(folder, 'First');
  const active = await openActive();
  let refusals = 0;
  const served = new ServedCatalogue({
    active,
    async share() {
      if (refusals-- > 0) throw new Error('too little memory');
    },
    log: log.logger,
    onChange: () => problems.push(served.status.catalogueProblem),
  });
  const problems: (string | undefined)[] = [];
  const first = await served.begin();
  served.follow();
  refusals = 2;
  const newer = await storeFoods(folder, 'Second');
  await expect.poll(() => problems).toContain(REFUSED);
  expect(served.status.catalogue).toEqual(first);
  await expect
    .poll(() => served.status)
    .toMatchObject({ catalogue: { name: newer }, catalogueProblem: undefined });
  const refused = log.messages('error').filter((line) => line.startsWith('a catalogue was rejected'));
  expect(refused).toHaveLength(1);
  await served.close();
});

describe('a catalogue that becomes active', () => {
  /** Catalogues with any names, whose loads tests can delay and reject. */
  async function openNamed({ refusals = {} }: { refusals?: Record<string, number> } = {}) {
    await storeFoods(folder, 'Any');
    const stored = await openActive();
    const image = await stored.load((await stored.current())!, new AbortController().signal);
    const events: string[] = [];
    const pauses: number[] = [];
    const held = new Map<string, PromiseWithResolvers<void>>();
    let activate: (name: string) => void = () => {};
    let onPause = () => {};
    const active: ActiveCatalogue = {
      ...stored,
      current: async () => 'first',
      watch(_known, onChange) {
        activate = onChange;
        return { close() {} };
      },
      async load(name) {
        events.push(`load ${name}`);
        await held.get(name)?.promise;
        if ((refusals[name] ?? 0) === 0) return image;
        refusals[name]!--;
        throw new Error(`${name} is refused`);
      },
      served: async (name) => void events.push(`served ${name}`),
    };
    const served = new ServedCatalogue({
      active,
      log: log.logger,
      async pause(ms) {
        pauses.push(ms);
        onPause();
      },
      random: () => 0,
    });
    await served.begin();
    served.follow();
    events.length = 0;
    return {
      served,
      events,
      pauses,
      activate: (name: string) => activate(name),
      atPause: (act: () => void) => {
        onPause = act;
      },
      hold(name: string) {
        held.set(name, Promise.withResolvers());
        return held.get(name)!.resolve;
      },
    };
  }

  test('is tried again, after longer and longer pauses, until it can be used', async () => {
    const { served, events, pauses, activate } = await openNamed({ refusals: { a: 3 } });
    activate('a');
    await expect.poll(() => events.at(-1)).toBe('served a');
    expect(events.filter((event) => event === 'load a')).toHaveLength(4);
    expect(pauses).toEqual([500, 1_000, 2_000]);
    await served.close();
  });

  test('while another one is loaded is the only one to be served if it is the newest', async () => {
    const { served, events, activate, hold } = await openNamed();
    const release = hold('a');
    activate('a');
    await expect.poll(() => events).toEqual(['load a']);
    for (const name of ['b', 'c', 'd']) activate(name);
    release();
    await expect.poll(() => events).toEqual(['load a', 'load d', 'served d']);
    await served.close();
  });

  test('and is already served is not loaded again, and ends the attempts at another one', async () => {
    const { served, events, activate, atPause } = await openNamed({ refusals: { a: 99 } });
    atPause(() => activate('first'));
    activate('a');
    await expect.poll(() => served.status.catalogueProblem).toBe(REFUSED);
    await served.close();
    expect(events).toEqual(['load a']);
  });

  test('is not served after closing, which waits for its load', async () => {
    const { served, events, activate, hold } = await openNamed();
    const release = hold('a');
    activate('a');
    await expect.poll(() => events).toEqual(['load a']);
    const closed = served.close();
    release();
    await closed;
    expect(events).toEqual(['load a']);
  });
});
