import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { type PipelinedAnswer, pipelinedGets } from '../support/pipelined-gets.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const BRANDED = join(import.meta.dirname, '../../../shared/data/fdc/branded');
/** Energy, protein, fat, carbohydrates, by FoodData Central's nutrient ids, with the maximum in 100 g. */
const PROMISED = new Map([
  ['1008', 905],
  ['1003', 100],
  ['1004', 100],
  ['1005', 100],
]);
/** Maximum sum of protein, fat and carbohydrates in 100 g, with rounding of small servings. */
const OF_WEIGHT: ReadonlySet<string> = new Set(['1003', '1004', '1005']);
const MAX_SUM_G = 110;
const FORM_LENGTHS = [12, 13, 14];
/** Time limit for an import, and tens of thousands of requests. */
const TIMEOUT_MS = 600_000;

/** The table's first columns; none of those used here contains a quote or a line break. */
function readTable(name: string): string[][] {
  const text = gunzipSync(readFileSync(join(BRANDED, name))).toString();
  return [...text.matchAll(/^"(\d+)","(.*?)","(.*?)","(.*?)","(.*?)",/gm)].map((row) => row.slice(1));
}

/** Barcodes of all products with possible values of the four required nutrients, read without any code of Larder. */
function barcodesWithNumbers(): string[] {
  const counts = new Map<string, number>();
  const sums = new Map<string, number>();
  for (const [, fdcId, nutrient, amount] of readTable('food_nutrient.csv.gz')) {
    const most = PROMISED.get(nutrient!);
    if (most !== undefined && Number(amount) <= most) counts.set(fdcId!, (counts.get(fdcId!) ?? 0) + 1);
    if (OF_WEIGHT.has(nutrient!)) sums.set(fdcId!, (sums.get(fdcId!) ?? 0) + Number(amount));
  }
  const isBarcode = (text: string) => /^\d{6,14}$/.test(text);
  return readTable('branded_food.csv.gz')
    .filter(([fdcId, , , , gtin]) => counts.get(fdcId!) === PROMISED.size && isBarcode(gtin!))
    .filter(([fdcId]) => (sums.get(fdcId!) ?? 0) <= MAX_SUM_G)
    .map(([, , , , gtin]) => gtin!);
}

/** The code as UPC-A, EAN-13 and GTIN-14, if its digits fit. */
function formsOf(barcode: string): string[] {
  const digits = barcode.replace(/^0+/, '');
  return FORM_LENGTHS.filter((length) => length >= digits.length).map((length) =>
    digits.padStart(length, '0'),
  );
}

async function larder(env: Record<string, string>, ...words: string[]): Promise<string> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  await (await createProgram({ env, out, err })).parseAsync(['node', 'larder', ...words]);
  return out.setEncoding('utf8').read() ?? '';
}

const idOf = ({ status, body }: PipelinedAnswer) =>
  status === 200 ? JSON.parse(body).id : `${status} ${body}`;

describe.skipIf(!existsSync(BRANDED))(
  'after the import of the real branded file (skipped without ../shared/data)',
  () => {
    it('every barcode with nutrients finds the same food as UPC-A, EAN-13 and GTIN-14 in both variants', {
      timeout: TIMEOUT_MS,
    }, async () => {
      using folder = tempFolder();
      const env = { LARDER_DATA_DIR: folder.path };
      // Some of these products are among the shipped foods, which take precedence.
      await larder(env, 'import', 'fdc', BRANDED, '--no-starter', '--json');
      await using service = await startServiceProcess(env);
      const { key } = JSON.parse(
        await larder(
          env,
          'key',
          'create',
          '--new-tenant',
          '--tenant',
          'acme',
          '--scopes',
          'foods:read',
          '--limits',
          'barcode=1000000',
          '--json',
        ),
      );

      const barcodes = barcodesWithNumbers();
      expect(barcodes.length).toBeGreaterThan(12_000);
      const forms = barcodes.flatMap((barcode) => formsOf(barcode).map((form) => ({ barcode, form })));
      const [v1, unversioned] = await Promise.all([
        pipelinedGets(
          service.url,
          forms.map(({ form }) => `/v1/foods/barcode/${form}`),
          { authorization: `Bearer ${key}` },
        ),
        pipelinedGets(
          service.url,
          forms.map(({ form }) => `/foods/barcode/${form}`),
          { 'x-api-key': key },
        ),
      ]);

      const foods = new Map<string, Set<string>>();
      for (const [index, { barcode }] of forms.entries()) {
        const ids = foods.get(barcode) ?? new Set();
        foods.set(barcode, ids.add(idOf(v1[index]!)).add(idOf(unversioned[index]!)));
      }
      const wrong = [...foods].filter(([, ids]) => ids.size !== 1 || ![...ids][0]!.startsWith('fdc:'));
      expect(wrong).toEqual([]);
    });
  },
);
