import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../src/foods/catalogue/load-catalogue.ts';
import { CatalogueStore } from '../../src/foods/compile/catalogue-store.ts';
import { NO_PROGRESS } from '../../src/foods/import/import-job.ts';
import { ImportJobStore } from '../../src/foods/import/import-job-store.ts';
import { openHousehold } from '../support/household.ts';
import { jsonl, NEW_SCHEMA, OLD_SCHEMA } from '../support/off-products.ts';
import { PATIENCE } from '../support/patience.ts';
import { openTestServer } from '../support/test-server.ts';

const isCluster = inject('cluster') !== undefined;
const EXPORT = gzipSync(jsonl({ ...OLD_SCHEMA, allergens_tags: ['en:nuts'] }, NEW_SCHEMA));
/** The response of the export server to a request. */
let answer: 'export' | 'nothing' = 'export';
const exports = createServer((_, response) => {
  if (answer === 'export') response.writeHead(200, { 'content-length': EXPORT.length }).end(EXPORT);
});
await new Promise<void>((ready) => exports.listen(0, '127.0.0.1', ready));
const exportUrl = `http://127.0.0.1:${(exports.address() as AddressInfo).port}/products.jsonl.gz`;
const fixture = await openTestServer({
  settings: { LARDER_OFF_EXPORT_URL: exportUrl, LARDER_OFF_DELTA_URL: exportUrl },
});
const key = await fixture.createKey(['operator']);
const store = new ImportJobStore(fixture.database);
beforeEach(() => {
  answer = 'export';
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  exports.closeAllConnections();
  exports.close();
});

const headers = { authorization: `Bearer ${key}` };
const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  fixture.ask({ method, url: `/v1/operator${url}`, headers, ...(payload && { payload }) });
const send = (id: string, offset: number, content: string) =>
  fixture.ask({
    method: 'PUT',
    url: `/v1/operator/imports/${id}/file?offset=${offset}`,
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    payload: content,
  });
const stateOf = async (id: string) => (await ask('GET', `/imports/${id}`)).json().status;
const ended = (id: string) => expect.poll(() => stateOf(id), PATIENCE).not.toMatch(/running|waiting/);

/** The catalogue that an import made; the test server keeps the one it began with. */
async function catalogueOf({ report }: { readonly report: { readonly catalogue: string } }) {
  const path = new CatalogueStore({ dataDir: fixture.dataDir, nowMs: Date.now }).pathOf(report.catalogue);
  return Catalogue.open(await loadCatalogueImage(path), path);
}

test('a download is imported, reported in a stream, and activated', async () => {
  const started = await ask('POST', '/imports', { source: 'off' });
  expect([started.statusCode, started.json()]).toMatchObject([201, { source: 'off', status: 'running' }]);
  const { id } = started.json();
  const second = await ask('POST', '/imports', { source: 'fdc' });
  expect([second.statusCode, second.json().error.code]).toEqual([409, 'conflict']);
  const { body } = await ask('GET', `/imports/${id}/stream`);
  const states = [...body.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!));
  expect(states.at(-1)).toMatchObject({
    id,
    status: 'completed',
    finishedAt: expect.anything(),
    report: { read: 2, kept: 2, catalogue: expect.anything() },
  });
  const { active, catalogues } = (await ask('GET', '/catalogues')).json();
  expect(active).toBe(states.at(-1).report.catalogue);
  expect(catalogues[0]).toMatchObject({ id: active, foods: expect.any(Number), bytes: expect.any(Number) });
  if (!isCluster) expect(catalogues[0].sources.at(-1)).toMatchObject({ origin: 'off', foods: 2 });
  expect((await ask('GET', '/imports')).json()[0].id).toBe(id);
});

test('a part of Open Food Facts is imported, of a download and of a file', async () => {
  const slice = { countries: ['de', 'at'], popular: 1 };
  const { id } = (await ask('POST', '/imports', { source: 'off', slice })).json();
  await ended(id);
  expect((await ask('GET', `/imports/${id}`)).json()).toMatchObject({
    slice,
    status: 'failed',
    error: { message: expect.stringContaining('outside of the chosen countries') },
  });
  if (!isCluster) {
    const content = jsonl({ ...OLD_SCHEMA, countries_tags: ['en:austria'], unique_scans_n: 1 }, NEW_SCHEMA);
    const file = { name: 'a.jsonl', bytes: Buffer.byteLength(content) };
    const sent = (await ask('POST', '/imports', { source: 'off', slice, file })).json();
    await send(sent.id, 0, content);
    await ended(sent.id);
    expect((await ask('GET', `/imports/${sent.id}`)).json()).toMatchObject({
      slice,
      report: { read: 2, kept: 1, skipped: { count: 1 } },
    });
  }
  for (const [wrong, field] of [
    [{ source: 'off', slice: { countries: ['qq'] } }, 'slice.countries[0]'],
    [{ source: 'off', slice: { languages: ['DE'] } }, 'slice.languages[0]'],
    [{ source: 'off', slice: {} }, 'slice'],
    [{ source: 'fdc', slice }, 'slice'],
    [{ source: 'fdc', update: true }, 'update'],
    [{ source: 'off', update: true, slice }, 'update'],
  ] as const) {
    const refused = await ask('POST', '/imports', wrong);
    expect([refused.statusCode, refused.json().error.details.fields]).toEqual([400, [field]]);
  }
});

test('an import keeps the facts of foods, unless it is told to leave them out', async () => {
  for (const [facts, kept] of [
    ['none', undefined],
    ['all', ['en:nuts']],
    [undefined, ['en:nuts']],
  ] as const) {
    const { id } = (await ask('POST', '/imports', { source: 'off', facts })).json();
    await ended(id);
    const job = (await ask('GET', `/imports/${id}`)).json();
    expect([job.status, job.facts]).toEqual(['completed', facts]);
    const catalogue = await catalogueOf(job);
    expect((await catalogue.factsOf(`off:${OLD_SCHEMA.code}`))?.allergens).toEqual(kept);
  }
  const refused = await ask('POST', '/imports', { source: 'off', facts: 'some' });
  expect([refused.statusCode, refused.json().error.details.fields]).toEqual([400, ['facts']]);
});

if (!isCluster)
  test('an update reads the changes since the last import, and fails without them', async () => {
    const { id } = (await ask('POST', '/imports', { source: 'off', update: true })).json();
    await ended(id);
    const { status, error } = (await ask('GET', `/imports/${id}`)).json();
    expect([status, error.message]).toEqual(['failed', expect.stringContaining('does not reach back to')]);
  });

if (!isCluster)
  test('an earlier catalogue is activated again, unless it is missing or damaged', async () => {
    const { active: first } = (await ask('GET', '/catalogues')).json();
    const { id } = (await ask('POST', '/imports', { source: 'off' })).json();
    await ended(id);
    const { active: second } = (await ask('GET', '/catalogues')).json();
    expect(second).not.toBe(first);
    const back = await ask('POST', `/catalogues/${first}/activate`);
    expect([back.statusCode, back.json().active]).toEqual([200, first]);
    expect((await ask('POST', '/catalogues/none/activate')).statusCode).toBe(404);
  });

if (!isCluster)
  test('a file is uploaded in parts, in order', async () => {
    const content = jsonl(OLD_SCHEMA, NEW_SCHEMA);
    const bytes = Buffer.byteLength(content);
    const file = { name: '../my export.jsonl', bytes };
    const started = (await ask('POST', '/imports', { source: 'off', file })).json();
    const { id } = started;
    expect(started).toMatchObject({
      status: 'waiting',
      file,
      uploadUrl: expect.stringContaining(`/v1/operator/imports/${id}/file`),
    });
    expect((await send(id, 0, content.slice(0, 100))).json().progress.bytes).toBe(100);
    const wrong = await send(id, 90, content.slice(90));
    expect([wrong.statusCode, wrong.json().error.message]).toEqual([
      409,
      'The next part begins at offset 100.',
    ]);
    const long = await send(id, 100, `${content.slice(100)}and more`);
    expect([long.statusCode, long.json().error.details]).toEqual([413, { limitBytes: bytes - 100 }]);
    expect((await send(id, 100, content.slice(100))).json().status).toBe('running');
    await ended(id);
    expect((await ask('GET', `/imports/${id}`)).json()).toMatchObject({
      status: 'completed',
      report: { kept: 2, files: ['_my_export.jsonl'] },
    });
    expect((await send(id, 0, content)).statusCode).toBe(409);
  });

if (!isCluster)
  test('of parts that come at the same time one counts, and nothing is left of a cancelled import', async () => {
    const file = { name: 'a.jsonl', bytes: 10 };
    const { id } = (await ask('POST', '/imports', { source: 'off', file })).json();
    const both = await Promise.all([send(id, 0, 'aaaaa'), send(id, 0, 'bbbbb')]);
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    expect((await ask('GET', `/imports/${id}`)).json().progress.bytes).toBe(5);
    await ask('DELETE', `/imports/${id}`);
    expect((await send(id, 5, 'aaaaa')).statusCode).toBe(409);
    expect(readdirSync(join(fixture.dataDir, 'downloads', 'sent'))).toEqual([]);
  });

if (!isCluster)
  test('a part that is sent again takes the place of the one that did not come to its end', async () => {
    const file = { name: 'a.jsonl', bytes: 10 };
    const { id } = (await ask('POST', '/imports', { source: 'off', file })).json();
    const slow = request(`http://127.0.0.1:${fixture.port}/v1/operator/imports/${id}/file?offset=0`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/octet-stream', 'content-length': 5 },
    });
    const answered = once(slow, 'response');
    slow.write('aa');
    const path = join(fixture.dataDir, 'downloads', 'sent', id, 'a.jsonl');
    await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8'), PATIENCE).toBe('aa');
    expect((await send(id, 0, 'bbbbb')).json().progress.bytes).toBe(5);
    slow.end('aaa');
    const [{ statusCode }] = (await answered) as [IncomingMessage];
    expect(statusCode).toBe(409);
    expect(readFileSync(path, 'utf8')).toBe('bbbbb');
    await ask('DELETE', `/imports/${id}`);
  });

const TABLE = [
  'Food;Brand;Calories;Protein;Fat;Carbs;Shelf',
  'Zwackel biscuits;Hof;450;7,5;18;64;2',
  'Quorfel cake;Hof;300;3;9;50;3',
  'Water of a spring;;;;;;1',
].join('\n');

/** Sends a table, and returns the import after its end. */
async function sendTable(content: string, choices: object, name = 'My pantry.csv') {
  const file = { name, bytes: Buffer.byteLength(content) };
  const { id } = (await ask('POST', '/imports', { source: 'table', file, ...choices })).json();
  await send(id, 0, content);
  await ended(id);
  return (await ask('GET', `/imports/${id}`)).json();
}

if (!isCluster)
  describe('a table of foods', () => {
    test('is previewed: how its columns are read, its first foods and its report; nothing is stored', async () => {
      const before = (await ask('GET', '/catalogues')).json();
      const job = await sendTable(TABLE, { preview: true });
      expect(job).toMatchObject({
        source: 'table',
        status: 'completed',
        preview: true,
        report: {
          origin: 'table',
          read: 3,
          kept: 2,
          skipped: { count: 1, reasons: [{ reason: 'no amounts' }] },
        },
        tablePreview: {
          mapIs: 'proposed',
          per: '100g',
          unused: ['Shelf'],
          columns: [
            { heading: 'Food', meaning: 'name' },
            { heading: 'Brand', meaning: 'brand' },
            { heading: 'Calories', meaning: 'energy kcal' },
            { heading: 'Protein', meaning: 'protein g' },
            { heading: 'Fat', meaning: 'fat g' },
            { heading: 'Carbs', meaning: 'carbohydrates g' },
          ],
          foods: [
            {
              name: 'Zwackel biscuits',
              brand: 'Hof',
              per: 'g',
              nutrients: { energy: 450, protein: 7.5, fat: 18, carbohydrates: 64 },
            },
            { name: 'Quorfel cake' },
          ],
        },
      });
      expect(job.report).not.toHaveProperty('catalogue');
      expect(job.tablePreview.map).toMatch(/^name: my-pantry\n/);
      expect((await ask('GET', '/catalogues')).json()).toEqual(before);
      const listed = (await ask('GET', '/imports')).json();
      expect(listed.map(({ id }: { id: string }) => id)).not.toContain(job.id);
      // It is removed after the state is stored.
      await expect.poll(() => readdirSync(join(fixture.dataDir, 'downloads', 'sent')), PATIENCE).toEqual([]);
    });

    test('is imported by the map of its preview, as it was changed', async () => {
      const { tablePreview } = await sendTable(TABLE, { preview: true });
      const map = `${tablePreview.map.replace(/^name: .*/, 'name: pantry')}  Shelf: iron mg\n`;
      const previewed = await sendTable(TABLE, { table: { map }, preview: true });
      expect(previewed.tablePreview).toMatchObject({
        mapIs: 'given',
        unused: [],
        foods: [{ nutrients: { iron: 2 } }, { nutrients: { iron: 3 } }],
      });
      const job = await sendTable(TABLE, { table: { map } });
      expect(job).toMatchObject({
        status: 'completed',
        table: { map },
        report: { origin: 'table', kept: 2 },
      });
      expect(job).not.toHaveProperty('tablePreview');
      expect((await ask('GET', '/imports')).json()[0].id).toBe(job.id);
      const catalogue = await catalogueOf(job);
      expect(catalogue.search('zwackel biscuits', 1)[0]).toMatchObject({
        id: expect.stringMatching(/^table:pantry\./),
        per100: { energy: 450, iron: 2 },
      });
      // A preview goes with the next import.
      expect((await ask('GET', `/imports/${previewed.id}`)).statusCode).toBe(404);
    });

    test.each([
      ['has no known headings', 'Something;Else\n1;2\n', {}, 'has no headings for the name and the energy'],
      [
        'does not say what its amounts are of',
        'Name;Portion;kcal;Protein;Fat;Carbs\nBar;50 g;200;5;10;20\n',
        {},
        'does not say what its amounts are of',
      ],
      [
        'has nothing to use',
        'Name;kcal;Protein;Fat;Carbs\nBar;;;;\n',
        { table: { per: '100g' } },
        'No product in the files can be used: no amounts',
      ],
      ['has a map that is none', TABLE, { table: { map: 'name: 1' } }, 'The map is no map of a table: name'],
    ])(
      'that %s is refused, by the preview in the words of the import',
      async (_, content, choices, message) => {
        const [preview, imported] = [
          await sendTable(content, { ...choices, preview: true }),
          await sendTable(content, choices),
        ];
        expect([preview.status, preview.error.message]).toEqual(['failed', expect.stringContaining(message)]);
        expect([imported.status, imported.error]).toEqual(['failed', preview.error]);
      },
    );

    test('is read per serving where the request says so', async () => {
      const content = 'Name;Portion;kcal;Protein;Fat;Carbs\nBar;50 g;200;5;10;20\n';
      const { tablePreview } = await sendTable(content, {
        table: { per: 'serving', name: 'bars' },
        preview: true,
      });
      expect(tablePreview).toMatchObject({
        per: 'serving',
        map: expect.stringContaining('name: bars'),
        foods: [{ name: 'Bar', nutrients: { energy: 400 }, serving: expect.stringContaining('50 g') }],
      });
    });

    test('needs its file, and only a table has a preview', async () => {
      const file = { name: 'a.csv', bytes: 10 };
      for (const [wrong, field] of [
        [{ source: 'table' }, 'file'],
        [{ source: 'table', file, facts: 'all' }, 'facts'],
        [{ source: 'table', file, table: { per: 'cup' } }, 'table.per'],
        [{ source: 'table', file, table: { name: 'My table' } }, 'table.name'],
        [{ source: 'off', table: { per: '100g' } }, 'table'],
        [{ source: 'off', preview: true }, 'preview'],
      ] as const) {
        const refused = await ask('POST', '/imports', wrong);
        expect([refused.statusCode, refused.json().error.details.fields]).toEqual([400, [field]]);
      }
    });
  });

if (isCluster)
  test('a cluster accepts no files', async () => {
    const file = { name: 'a.jsonl', bytes: 5 };
    const refused = await ask('POST', '/imports', { source: 'off', file });
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      409,
      expect.stringContaining('publish'),
    ]);
  });

test('a cancelled import ends, and another one can begin', async () => {
  answer = 'nothing';
  const { id } = (await ask('POST', '/imports', { source: 'off' })).json();
  expect((await ask('DELETE', `/imports/${id}`)).statusCode).toBe(204);
  expect(await stateOf(id)).toBe('cancelled');
  answer = 'export';
  const next = await ask('POST', '/imports', { source: 'off' });
  expect(next.statusCode).toBe(201);
  await ended(next.json().id);
  expect(await stateOf(next.json().id)).toBe('completed');
});

if (!isCluster)
  test('a file that is not an export fails with the reason', async () => {
    const file = { name: 'notes.txt', bytes: 5 };
    const { id } = (await ask('POST', '/imports', { source: 'fdc', file })).json();
    await send(id, 0, 'hello');
    await ended(id);
    const job = (await ask('GET', `/imports/${id}`)).json();
    expect([job.status, job.error.message]).toEqual(['failed', expect.stringContaining('notes.txt')]);
  });

test('an import whose process has died counts as interrupted, and blocks no other import', async () => {
  const id = '7ZZZZZZZZZZZZZZZZZZZZZZZZZ';
  const job = { id, source: 'off', state: 'running', createdAtMs: 1, progress: NO_PROGRESS } as const;
  expect(await store.add(job, 2)).toBe(true);
  expect((await ask('GET', `/imports/${id}`)).json()).toMatchObject({
    status: 'failed',
    error: { message: expect.stringMatching(/^interrupted/) },
  });
  expect(await store.finish(id, { state: 'completed' }, 3)).toBe(false);
});

test('unknown imports are not found', async () => {
  for (const [method, url] of [
    ['GET', '/imports/none'],
    ['GET', '/imports/none/stream'],
    ['DELETE', '/imports/none'],
  ] as const)
    expect((await ask(method, url)).statusCode).toBe(404);
  expect((await send('none', 0, 'x')).statusCode).toBe(404);
});

/** Opens the stream of an import and waits for its first message. `rest` returns how many there were in all. */
async function follow(port: number, id: string, credential: Record<string, string>) {
  const url = `http://127.0.0.1:${port}/v1/operator/imports/${id}/stream`;
  const response = await fetch(url, { headers: credential });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let read = '';
  while (!read.includes('data: ')) read += (await reader.read()).value ?? '';
  const rest = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) read += part.value;
    return read.split('data: ').length - 1;
  };
  return { rest };
}

if (!isCluster)
  test('a stream ends with the key or session that opened it', async () => {
    await using household = await openHousehold();
    const { ann, fixture: server } = household;
    const file = { name: 'a.jsonl', bytes: 10 };
    const { id } = (await ann.ask('POST', '/v1/operator/imports', { source: 'off', file })).json();
    const key = await server.createKey(['operator']);
    const later = await household.signIn('Ann');
    const keys = (await later.ask('GET', '/v1/keys')).json();
    const ended = keys.findLast(({ scopes }: { scopes: string[] }) => scopes.includes('operator')).id;
    const streams = [
      await follow(server.port, id, { authorization: `Bearer ${key}` }),
      await follow(server.port, id, { cookie: ann.cookie }),
    ];
    await ann.ask('DELETE', '/v1/session');
    expect((await later.ask('DELETE', `/v1/keys/${ended}`)).statusCode).toBe(204);
    await server.ask({
      method: 'PUT',
      url: `/v1/operator/imports/${id}/file?offset=0`,
      headers: { cookie: later.cookie, origin: household.origin, 'content-type': 'application/octet-stream' },
      payload: 'aaaaa',
    });
    // Without the check they would go on until the import ends.
    expect(await Promise.all(streams.map(({ rest }) => rest()))).toEqual([1, 1]);
    expect((await later.ask('GET', `/v1/operator/imports/${id}`)).json().status).toBe('waiting');
  });
