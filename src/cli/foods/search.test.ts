import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import type { z } from 'zod';
import { sampleFood } from '../../../test/support/sample-foods.ts';
import { searchFoods, searchQuery } from '../../api/foods/food-look-ups.ts';
import type { Outcome } from '../../api/operation.ts';
import { openCatalogueStore } from '../../app/catalogue-store.ts';
import { readConfig } from '../../config/config.ts';
import { Catalogue } from '../../foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../foods/catalogue/load-catalogue.ts';
import { addFoods } from '../../foods/import/complete-foods.ts';
import { FoodDirectory } from '../../foods/visible-foods.ts';
import { createProgram } from '../program.ts';

const NUTELLA = '3017620422003';
const FOODS = [
  sampleFood('off', NUTELLA, { name: 'Nutella', brand: 'Ferrero', barcode: NUTELLA }),
  ...Array.from({ length: 130 }, (_, at) => sampleFood('off', `a${at}`, { name: `Apple pie number ${at}` })),
  sampleFood('off', 'milk', { name: 'Whole milk', basis: 'ml' }),
];

let dir: string;
let env: Record<string, string>;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'larder-search-'));
  env = { LARDER_DATA_DIR: dir };
  return () => rm(dir, { recursive: true });
});

test('without a catalogue the error says how to get one', async () => {
  await expect(larder('milk')).rejects.toThrow(/larder import/);
});

test('the output equals the API’s response', async () => {
  const { catalogue } = await publish();
  const foods = new FoodDirectory({ catalogue: { current: catalogue } });
  const caller = { tenant: 'acme', scopes: [], key: { id: 'k', tenant: 'acme', scopes: [], createdAt: 0 } };
  const searchOfApi = (query: z.output<typeof searchQuery>) =>
    searchFoods.handle({ caller, query } as never, { foods }) as Promise<Outcome>;
  const queries = ['apple pie', '  aple ', 'm', '', NUTELLA, 'milk', '🥧', 'nothing like it'];
  for (const limit of [undefined, '1', '999']) {
    const words = limit === undefined ? [] : ['--limit', limit];
    const expected: { id: string; name: string }[][] = await Promise.all(
      queries.map(async (q) =>
        JSON.parse(JSON.stringify((await searchOfApi(searchQuery.parse({ q, limit }))).value)),
      ),
    );
    const batch = await larder('--batch', '-', ...words, { input: `${queries.join('\n')}\n` });
    const answers = batch.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).toEqual(
      queries.map((q, at) => ({
        q,
        ids: expected[at]!.map(({ id }) => id),
        names: expected[at]!.map(({ name }) => name),
        us: expect.any(Number),
      })),
    );
    for (const [at, q] of queries.entries()) {
      const foods = JSON.parse((await larder(q, '--json', ...words)).out);
      expect(foods).toEqual(expected[at]!);
    }
  }
});

test('the table says if nothing was found', async () => {
  await publish();
  expect((await larder('nutella')).out).toMatch(
    /^name +brand +kcal {2}id\nNutella +Ferrero +120 in 100 g +off:3017620422003\n$/,
  );
  expect(await larder('zzzzqqq')).toEqual({ out: '', err: 'Nothing found.\n' });
});

test('several words need no quotes', async () => {
  await publish();
  expect(await larder('whole', 'milk')).toEqual(await larder('whole milk'));
});

test('another catalogue can be searched by name or file', async () => {
  const { name, file } = await publish();
  await publish([sampleFood('fdc', '1', { name: 'Nutella copy' })], 'fdc');
  for (const choice of [name, file]) {
    expect(JSON.parse((await larder('nutella copy', '--catalogue', choice, '--json')).out)[0].id).toBe(
      `off:${NUTELLA}`,
    );
  }
  expect(JSON.parse((await larder('nutella copy', '--json')).out)[0].id).toBe('fdc:1');
});

test('explain shows words, plans and scores', async () => {
  await publish();
  const explained = JSON.parse((await larder('Whole mlik', '--explain', '--json')).out);
  expect(explained).toMatchObject({ q: 'Whole mlik', tokens: ['whole', 'mlik'] });
  expect(explained.plans.length).toBeGreaterThan(0);
  expect(explained.foods[0]).toMatchObject({ id: 'off:milk', score: expect.any(Number) });
  const { out } = await larder(NUTELLA, '--explain');
  expect(out).toMatch(/^words {3}3017620422003\n/);
  expect(out).toMatch(/barcode {2}Nutella/);
  expect((await larder('x', '--explain')).out).toBe('words   none\nfound\n');
});

test('a batch answers every line of a file in order; an overlong line fails alone', async () => {
  await publish();
  const file = join(dir, 'queries.txt');
  const long = 'x'.repeat(201);
  await writeFile(file, `nutella\r\n\n${long}\nwhole milk`);
  const lines = (await larder('--batch', file, '--limit', '2')).out
    .trimEnd()
    .split('\n')
    .map((l) => JSON.parse(l));
  expect(lines).toMatchObject([
    { q: 'nutella', ids: [`off:${NUTELLA}`], names: ['Nutella'] },
    { q: '', ids: [], names: [] },
    { q: long, error: expect.stringContaining('200') },
    { q: 'whole milk', ids: ['off:milk'] },
  ]);
});

test('foods proposed by meaning are marked, and LARDER_MEANING=off turns them off', async () => {
  await publish([sampleFood('fdc', 'potato', { name: 'Potato, mashed' })], 'fdc');
  expect((await larder('Kartoffelpüree', '--explain')).out).toMatch(/~0\.\d\d {2}Potato, mashed/);
  const { foods } = JSON.parse((await larder('Kartoffelpüree', '--explain', '--json')).out);
  expect(foods).toMatchObject([{ id: 'fdc:potato', similarity: expect.any(Number) }]);
  env = { ...env, LARDER_MEANING: 'off' };
  expect(JSON.parse((await larder('Kartoffelpüree', '--json')).out)).toEqual([]);
});

test('an invalid combination of arguments is refused in one sentence', async () => {
  await publish();
  await expect(larder()).rejects.toThrow(/either a search text or --batch/);
  await expect(larder('a', '--batch', '-')).rejects.toThrow(/either a search text or --batch/);
  await expect(larder('--batch', '-', '--explain', { input: '' })).rejects.toThrow(/--explain/);
  await expect(larder('milk', '--limit', '0')).rejects.toThrow(/whole number from 1/);
  await expect(larder('x'.repeat(201))).rejects.toThrow(/longer than 200/);
  await expect(larder('--batch', join(dir, 'none'))).rejects.toThrow(/no such file/);
});

async function publish(foods = FOODS, origin: 'off' | 'fdc' = 'off') {
  const catalogueStore = openCatalogueStore(readConfig(env));
  const name = await addFoods({ catalogueStore, origin, sources: ['test'], foods, nowMs: Date.now });
  const file = catalogueStore.pathOf(name);
  return { name, file, catalogue: Catalogue.open(await loadCatalogueImage(file)) };
}

async function larder(...words: (string | { readonly input: string })[]) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const [printed, told] = [text(out), text(err)];
  const input = words.find((word) => typeof word !== 'string')?.input ?? '';
  const program = await createProgram({ env, in: Readable.from([Buffer.from(input)]), out, err });
  await program.parseAsync(['node', 'larder', 'search', ...words.filter((word) => typeof word === 'string')]);
  out.end();
  err.end();
  return { out: await printed, err: await told };
}
