import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { clusterSettings } from '../support/cluster-settings.ts';
import { runLarder } from '../support/run-larder.ts';
import { storeFoods } from '../support/store-foods.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe.skipIf(inject('cluster') === undefined)('commands for published catalogues', () => {
  const folder = tempFolder();
  let settings: Record<string, string>;
  beforeEach(async () => {
    settings = await clusterSettings();
  });
  afterAll(() => folder[Symbol.dispose]());

  const larder = (...words: string[]) =>
    runLarder({ ...settings, LARDER_DATA_DIR: folder.path }, 'catalogue', ...words);

  test('list published and active catalogues', async () => {
    expect(await larder('list', '--published', '--json')).toBe('[]\n');
    const first = await storeFoods(folder.path, 'Apricot');
    expect(await larder('publish')).toMatch(
      new RegExp(`^${first} is published: 2 foods, \\d+\\.\\d MB\\.\n$`),
    );
    expect(await larder('publish', '--json')).toContain('"sentParts":0');
    const second = await storeFoods(folder.path, 'Blackberry');
    expect(await larder('publish', '--activate')).toContain(`${second} is published and active: 3 foods`);
    expect(await larder('activate', first)).toBe(`${first} is active.\n`);
    expect(await larder('rollback')).toBe(`${second} is active again.\n`);
    expect(await larder('list', '--published')).toMatch(
      new RegExp(`^ +name +published +foods +size +format\n\\* +${second} .* 3 .*\n +${first} .* 2 .*\n$`),
    );
    const listed = JSON.parse(await larder('list', '--published', '--json'));
    expect(listed).toMatchObject([
      { name: second, isActive: true, foods: 3, formatVersion: expect.any(Number) },
      { name: first, isActive: false, foods: 2 },
    ]);
  });

  test('report errors and change nothing', async () => {
    await expect(larder('activate', 'unknown')).rejects.toThrow(
      'No catalogue "unknown" is published; `larder catalogue list --published` shows those that are.',
    );
    await expect(larder('rollback')).rejects.toThrow(/no catalogue to go back to/);
    await expect(larder('publish', 'unknown')).rejects.toThrow(/neither a stored catalogue/);
    await storeFoods(folder.path, 'Apricot');
    settings['LARDER_S3_SECRET_ACCESS_KEY'] = 'wrong';
    await expect(larder('publish')).rejects.toThrow(
      /does not accept the catalogue: .*403 SignatureDoesNotMatch/,
    );
    expect(await larder('list', '--published', '--json')).toBe('[]\n');
  });

  test('an import on a machine without a service includes the shipped foods', async () => {
    using machine = tempFolder();
    const env = { ...settings, LARDER_DATA_DIR: machine.path };
    const file = join(machine.path, 'export.jsonl');
    const nutriments = { 'energy-kcal_100g': 400, proteins_100g: 10, fat_100g: 10, carbohydrates_100g: 60 };
    writeFileSync(file, `${JSON.stringify({ code: '96385074', product_name: 'Oat bar', nutriments })}\n`);
    await runLarder(env, 'import', 'off', file);
    const { origins } = JSON.parse(await runLarder(env, 'catalogue', 'info', '--json'));
    expect(origins).toMatchObject({ off: { foods: 1 }, starter: { foods: expect.any(Number) } });
  });
});
