import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ean13Bars } from '../../../test/support/barcode-bars.ts';
import { barcodePicture } from '../../../test/support/barcode-picture.ts';
import { sampleFood } from '../../../test/support/sample-foods.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { openCatalogueStore } from '../../app/catalogue-store.ts';
import { openDatabase } from '../../db/sqlite/database.ts';
import { addFoods } from '../../foods/import/complete-foods.ts';
import { createProgram } from '../program.ts';

const BARCODE = '3017620422003';

let dir: ReturnType<typeof tempFolder>;
let image: string;
beforeEach(async () => {
  dir = tempFolder();
  // The folder of a service that was started; the first command adds the shipped foods.
  await (await openDatabase({ file: join(dir.path, 'larder.db') })).close();
  image = join(dir.path, 'spread.jpg');
  const picture = await barcodePicture({ bars: ean13Bars(BARCODE) });
  await picture.jpeg().toFile(image);
});
afterEach(() => dir[Symbol.dispose]());

async function publish(): Promise<void> {
  const food = sampleFood('off', BARCODE, { name: 'Hazelnut spread', barcode: BARCODE });
  const catalogueStore = openCatalogueStore({ dataDir: dir.path, diskReserveMb: 0, meaning: 'off' });
  await addFoods({ catalogueStore, origin: 'off', sources: ['test'], foods: [food], nowMs: Date.now });
}

async function recognize(...words: string[]) {
  const out = new PassThrough();
  const err = new PassThrough();
  const program = await createProgram({ env: { LARDER_DATA_DIR: dir.path }, out, err });
  const error = await program.parseAsync(['recognize', ...words], { from: 'user' }).then(
    () => undefined,
    (cause: Error) => cause,
  );
  out.end();
  err.end();
  return { out: await text(out), err: await text(err), error };
}

test('a table shows the items of an image with confidence and time', async () => {
  await publish();
  const { out, error } = await recognize(image);
  expect(error).toBeUndefined();
  expect(out).toMatch(/Hazelnut spread .*99 %/);
  expect(out).toContain(`off:${BARCODE}`);
  expect(out).toMatch(/barcode \(zxing-wasm .*\): recognized, .* ms/);
  expect(out).toMatch(/decoded in .* ms/);
});

test('--json prints the same in a line for each file', async () => {
  await publish();
  const { out } = await recognize('--json', image, image);
  const lines = out.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    file: image,
    items: [{ name: 'Hazelnut spread', foodId: `off:${BARCODE}`, origin: 'barcode' }],
    recognizers: [{ name: 'barcode', outcome: 'recognized', proposals: [{ digits: BARCODE }] }],
    timings: { decodeMs: expect.any(Number), totalMs: expect.any(Number) },
  });
});

test('a file that is missing or not an image is named, the others are recognized, and the command fails', async () => {
  await publish();
  const other = join(dir.path, 'notes.txt');
  await writeFile(other, 'no image');
  const { out, err, error } = await recognize(join(dir.path, 'missing.jpg'), other, image);
  expect(err).toMatch(
    /^Cannot read .*missing\.jpg: there is no such file or folder; check the path\. \(file_unreadable\)/,
  );
  expect(out).toMatch(/unsupported_image: This is no image/);
  expect(out).toContain('Hazelnut spread');
  expect(error).toMatchObject({ message: '2 of 3 files could not be read.' });
});

test('with --json an unreadable file has a line too', async () => {
  const { out, err, error } = await recognize('--json', dir.path, image);
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([{ file: dir.path, failure: { code: 'file_unreadable' } }, { file: image }]);
  expect(err).toBe('');
  expect(error).toMatchObject({ message: '1 of 2 files could not be read.' });
});

test('no more than the maximum image size is read', async () => {
  const { out, error } = await recognize('/dev/zero');
  expect(out).toMatch(/image_too_large/);
  expect(error).toMatchObject({ message: '1 of 1 file could not be read.' });
});

test('without a catalogue the shipped foods are used', async () => {
  const { error } = await recognize(image);
  expect(error).toBeUndefined();
});
