import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { openActiveCatalogue } from '../../src/app/open-active-catalogue.ts';
import { openDatabase } from '../../src/app/open-backend.ts';
import { ServedCatalogue } from '../../src/app/processes/served-catalogue.ts';
import { S3ObjectStore } from '../../src/blobs/s3/object-store.ts';
import { type ClusterConfig, readConfig } from '../../src/config/config.ts';
import { sql } from '../../src/db/sql.ts';
import { CatalogueCopies } from '../../src/foods/published/catalogue-copies.ts';
import { listParts } from '../../src/foods/published/catalogue-parts.ts';
import { clusterSettings } from '../support/cluster-settings.ts';
import { MemoryLog } from '../support/memory-log.ts';
import { PATIENCE } from '../support/patience.ts';
import { runLarder } from '../support/run-larder.ts';
import { storeFoods } from '../support/store-foods.ts';
import { openTcpGate, type TcpGate } from '../support/tcp-gate.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

const NOT_YET = 'the active catalogue is not answered from yet: it is tried again';

describe.skipIf(inject('cluster') === undefined)('a node that follows the active catalogue', () => {
  const makers = tempFolder();
  let settings: Record<string, string>;
  /** A proxy of the object store, for nodes only. */
  let gate: TcpGate;
  let dataDir: string;
  let log: MemoryLog;
  /** The nodes, and other objects that are closed after a test. */
  let opened: AsyncDisposableStack;
  beforeAll(async () => {
    gate = await openTcpGate(Number(new URL(inject('cluster')!.s3Endpoint).port));
  });
  beforeEach(async () => {
    settings = await clusterSettings();
    // Closes leftovers of a failed test.
    await gate.close();
    await gate.open();
    const folder = tempFolder();
    dataDir = folder.path;
    log = new MemoryLog();
    opened = new AsyncDisposableStack();
    return async () => {
      await opened.disposeAsync();
      folder[Symbol.dispose]();
    };
  });
  afterAll(async () => {
    await gate[Symbol.asyncDispose]();
    makers[Symbol.dispose]();
  });

  const larder = (...words: string[]) =>
    runLarder({ ...settings, LARDER_DATA_DIR: makers.path }, 'catalogue', ...words);
  async function publish(food: string, ...more: string[]): Promise<string> {
    await storeFoods(makers.path, food);
    return JSON.parse(await larder('publish', '--json', ...more)).name;
  }
  const configOf = (folder: string) =>
    readConfig({
      ...settings,
      LARDER_S3_ENDPOINT: `http://127.0.0.1:${gate.port}`,
      LARDER_DATA_DIR: folder,
    }) as ClusterConfig;

  const NEVER = new AbortController().signal;
  /** A process that follows the active catalogue, as `larder serve` and `larder worker` do. */
  async function start(folder = dataDir, judge = async () => {}) {
    const active = opened.use(
      await openActiveCatalogue(configOf(folder), { log: log.logger, signal: NEVER }),
    );
    const taken: string[] = [];
    const served = new ServedCatalogue({
      active,
      share: () => (taken.length === 0 ? Promise.resolve() : judge()),
      log: log.logger,
      onChange() {
        const { name } = served.status.catalogue!;
        if (name !== taken.at(-1)) taken.push(name);
      },
    });
    taken.push((await served.begin())!.name);
    served.follow();
    opened.defer(() => served.close());
    return { node: active.node!, taken };
  }
  async function stopAll(): Promise<void> {
    await opened.disposeAsync();
    opened = new AsyncDisposableStack();
  }
  const until = (check: () => void | Promise<void>) => vi.waitFor(check, PATIENCE);
  const untilTaken = ({ taken, node }: Awaited<ReturnType<typeof start>>, name: string) =>
    until(() => {
      expect(taken.at(-1)).toBe(name);
      expect([node.active ?? name, node.isBehind, node.problem]).toEqual([name, false, undefined]);
    });
  const untilProblem = ({ node }: Awaited<ReturnType<typeof start>>, code: string) =>
    until(() => expect(node.problem?.code).toBe(code));
  const complaints = () => log.messages('warn').filter((message) => message === NOT_YET);
  const copies = () => new CatalogueCopies({ dataDir, nowMs: Date.now });

  test('starts with its own catalogue store until a catalogue is activated, then follows only that', async () => {
    const own = await storeFoods(dataDir, 'Own');
    const node = await start();
    expect([node.taken, node.node.active, node.node.isBehind]).toEqual([[own], undefined, false]);
    const newer = await storeFoods(dataDir, 'Newer');
    await untilTaken(node, newer);
    const active = await publish('Apricot', '--activate');
    await untilTaken(node, active);
    await storeFoods(dataDir, 'Newest');
    const next = await publish('Blackberry', '--activate');
    await untilTaken(node, next);
    expect(node.taken).toEqual([own, newer, active, next]);
    await until(async () => expect(await copies().current()).toBe(next));
  });

  test('that missed activations loads only the newest, also with a shared data folder', async () => {
    const first = await publish('Apricot', '--activate');
    const { taken } = await start();
    expect(taken).toEqual([first]);
    await stopAll();
    for (const food of ['Blackberry', 'Cherry']) await publish(food, '--activate');
    const newest = await publish('Damson', '--activate');
    const nodes = await Promise.all([start(), start()]);
    for (const node of nodes) {
      await untilTaken(node, newest);
      // It may begin with the catalogue that the other one has fetched meanwhile.
      expect([[first, newest], [newest]]).toContainEqual(node.taken);
    }
  });

  test('starts with its copy during an outage of the object store, and loads the active catalogue afterwards', async () => {
    const first = await publish('Apricot', '--activate');
    await start();
    await stopAll();
    const second = await publish('Blackberry', '--activate');
    await gate.close();
    const node = await start();
    expect(node.taken).toEqual([first]);
    await until(() => expect(node.node.fetches.get('store_unavailable')).toBeGreaterThanOrEqual(2));
    expect([node.node.active, node.node.isBehind]).toEqual([second, true]);
    expect(node.node.problem?.message).toBe('the object store cannot be read');
    expect(complaints()).toHaveLength(1);
    await gate.open();
    await untilTaken(node, second);
    expect(node.node.fetches.get('fetched')).toBe(1);
  });

  test('without a copy starts after it has fetched one', async () => {
    const name = await publish('Apricot', '--activate');
    await gate.close();
    const starting = start();
    await log.until(({ msg }) => msg === NOT_YET);
    await gate.open();
    expect((await starting).taken).toEqual([name]);
  });

  test('can be stopped while it waits for its first copy', async () => {
    await publish('Apricot', '--activate');
    await gate.close();
    const stop = new AbortController();
    const starting = openActiveCatalogue(configOf(dataDir), { log: log.logger, signal: stop.signal });
    await log.until(({ msg }) => msg === NOT_YET);
    stop.abort(new Error('told to stop'));
    await expect(starting).rejects.toThrow('told to stop');

    const env = {
      ...settings,
      LARDER_S3_ENDPOINT: `http://127.0.0.1:${gate.port}`,
      LARDER_DATA_DIR: dataDir,
    };
    const waiting = Promise.withResolvers<void>();
    await using worker = startWorkerProcess(env, {
      onLine: ({ msg }) => {
        if (msg === NOT_YET) waiting.resolve();
      },
    });
    await waiting.promise;
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    await gate.open();
  });

  test('keeps its catalogue while a part is damaged in the object store, reports it once, and continues after a new upload', async () => {
    const first = await publish('Apricot', '--activate');
    const node = await start();
    const second = await publish('Blackberry');
    const { s3, secrets } = configOf(dataDir);
    const objects = new S3ObjectStore({
      ...s3,
      secretAccessKey: secrets.s3SecretAccessKey,
      nowMs: Date.now,
    });
    const [part] = await listParts(objects, second);
    const body = Readable.from([Buffer.alloc(part!.sizeBytes)]);
    const contentType = 'application/octet-stream';
    await objects.put({ key: part!.key, contentType, body, size: { maxBytes: part!.sizeBytes } });
    await larder('activate', second);
    await until(() => expect(node.node.fetches.get('damaged')).toBeGreaterThanOrEqual(2));
    expect([node.taken, complaints().length, copies().has(second)]).toEqual([[first], 1, false]);
    await larder('publish', second, '--again');
    await untilTaken(node, second);
  });

  test('keeps its catalogue if the active one has a newer format, and loads the next readable one', async () => {
    const first = await publish('Apricot', '--activate');
    const node = await start();
    const second = await publish('Blackberry');
    const database = opened.adopt(await openDatabase(configOf(dataDir)), ({ close }) => close());
    const raise = sql`update catalogue_versions set format_version = 999 where name = ${second}`;
    await raise.all(database.db);
    await larder('activate', second);
    await untilProblem(node, 'unsupported_format');
    expect(node.node.problem?.message).toMatch(
      /^it has format version 999, and this Larder reads \d+: upgrade this node$/,
    );
    await sql`update catalogue_versions set format_version = 1 where name = ${second}`.all(database.db);
    await until(() =>
      expect(node.node.problem?.message).toMatch(
        /^it has format version 1, .*: upgrade the importing machine, then run `larder catalogue rebuild` and `larder catalogue publish --activate` there$/,
      ),
    );
    expect(node.taken).toEqual([first]);
    await larder('rollback');
    await until(() => expect([node.node.isBehind, node.node.problem]).toEqual([false, undefined]));
    const third = await publish('Cherry', '--activate');
    await untilTaken(node, third);
    expect(node.taken).toEqual([first, third]);
  });

  test('verifies a rejected catalogue again and fetches parts damaged on its disk', async () => {
    const first = await publish('Apricot', '--activate');
    let refusals = 0;
    const node = await start(dataDir, async () => {
      if (refusals++ === 0) throw new Error('too little memory');
    });
    const second = await publish('Blackberry', '--activate');
    await untilTaken(node, second);
    expect(node.taken).toEqual([first, second]);
    expect(node.node.fetches.get('fetched')).toBe(3);
    expect(node.node.fetches.get('cannot_load')).toBe(1);
    await stopAll();
    const file = copies().pathOf(second);
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(file, bytes);
    await copies().withdraw(first);
    expect((await start()).taken).toEqual([second]);
    expect(log.messages('warn')).toContain('a copy of a catalogue cannot be used');
  });

  test('keeps its catalogue while its disk is full, and loads the active one afterwards', async () => {
    const own = await storeFoods(dataDir, 'Own');
    const node = await start();
    const inTheWay = join(dataDir, 'published');
    writeFileSync(inTheWay, '');
    const active = await publish('Apricot', '--activate');
    await untilProblem(node, 'cannot_write');
    expect([node.taken, node.node.isBehind]).toEqual([[own], true]);
    rmSync(inTheWay);
    await untilTaken(node, active);
  });

  test('keeps its catalogue during an outage of the database, and reports it once', async () => {
    const first = await publish('Apricot', '--activate');
    const second = await publish('Blackberry');
    const node = await start();
    const database = opened.adopt(await openDatabase(configOf(dataDir)), ({ close }) => close());
    await sql`alter table catalogue_activations rename to hidden`.all(database.db);
    const said = () => log.messages('warn').filter((line) => line.startsWith('which catalogue is active'));
    for (const _ of [1, 2, 3]) {
      node.node.wake();
      await until(() => expect(said()).toHaveLength(1));
    }
    await sql`alter table hidden rename to catalogue_activations`.all(database.db);
    await larder('activate', second);
    await untilTaken(node, second);
    expect(node.taken).toEqual([first, second]);
    expect(said()).toHaveLength(1);
  });
});
