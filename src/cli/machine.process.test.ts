import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runLarder } from '../../test/support/run-larder.ts';
import { startServiceProcess } from '../../test/support/service-process.ts';
import { mountSmallDisk, whyNoSmallDisk } from '../../test/support/small-disk.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PHOTO = join(ROOT, 'examples', 'photos', 'barcode.jpg');

describe.skipIf(process.platform !== 'linux')('a machine that allows too little', () => {
  const limited = (limit: string, settings = {}) =>
    startServiceProcess(settings, (program) => [
      'sh',
      ['-c', `ulimit ${limit}; exec "${process.execPath}" "${program}" serve`],
    ]);

  test('64 open files are too few for two threads, which one line says', async () => {
    await expect(limited('-n 64', { LARDER_THREADS: '2' })).rejects.toThrow(
      /^larder serve ended with 1: larder: 64 open files are allowed, too few for LARDER_THREADS=2\. Raise the limit .*, or lower LARDER_THREADS\.$/,
    );
  });

  test('64 open files are enough for one thread, with a warning', async () => {
    await using service = await limited('-n 64', { LARDER_THREADS: '1' });
    expect(service.out[0]).toContain('few open files are allowed, so that few clients can connect');
  });

  test.skipIf(whyNoSmallDisk() !== undefined)('a full disk ends the start, which one line says', async () => {
    using disk = mountSmallDisk(64);
    const settings = { LARDER_DATA_DIR: join(disk.path, 'data'), LARDER_THREADS: '1' };
    const full =
      /^larder serve ended with 1: larder: The disk of \S+ is full: 0 bytes free\. Free some space, then start again\.$/;
    disk.leaveFree(0);
    await expect(startServiceProcess(settings)).rejects.toThrow(full);
    disk.leaveFree(60_000_000);
    await (await startServiceProcess(settings))[Symbol.asyncDispose]();
    disk.leaveFree(0);
    await expect(startServiceProcess(settings)).rejects.toThrow(full);
  });
});

test('scans wait while `npm ci` runs under a service, and are completed afterwards', async () => {
  using folder = tempFolder();
  const root = folder.path;
  // An installation of its own, whose packages are links to those of the project.
  for (const name of ['bin', 'src']) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  for (const name of ['package.json', 'openapi.json', 'openapi-unversioned.json'])
    cpSync(join(ROOT, name), join(root, name));
  for (const name of ['packages', 'models']) symlinkSync(join(ROOT, name), join(root, name));
  const [modules, away] = [join(root, 'node_modules'), join(root, 'away')];
  for (const folder of [modules, away]) mkdirSync(folder);
  const packages = readdirSync(join(ROOT, 'node_modules')).filter((name) => !name.startsWith('.'));
  for (const name of packages) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  const move = (from: string, to: string) => {
    for (const name of packages) renameSync(join(from, name), join(to, name));
  };

  const settings = { LARDER_THREADS: '1', LARDER_PAGE: 'off', LARDER_DATA_DIR: join(root, 'data') };
  await using service = await startServiceProcess(settings, () => [
    process.execPath,
    [join(root, 'bin', 'larder.mjs'), 'serve'],
  ]);
  const scan = () =>
    runLarder(
      { LARDER_KEY: service.key, LARDER_DATA_DIR: settings.LARDER_DATA_DIR },
      'scan',
      PHOTO,
      '--url',
      service.url,
    );
  move(modules, away);
  const scanned = scan();
  await expect.poll(() => service.out.join('\n')).toContain('scans: npm packages are missing (sharp');
  const importFile = async () => {
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/octet-stream' };
    const body = 'Date,Meal,Food,kcal\n2026-01-31,Lunch,Soup,230\n';
    const answer = await fetch(`${service.url}/v1/users/ann/import`, { method: 'POST', headers, body });
    return { status: answer.status, body: await answer.text() };
  };
  expect(await importFile()).toMatchObject({ status: 503, body: expect.stringContaining('"unavailable"') });
  move(away, modules);
  expect(await importFile()).toMatchObject({ status: 200 });
  expect(await scanned).toContain('food');

  const file = join(root, 'package.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('"version": "', '"version": "9'));
  // The process that runs was started by the version that runs, and goes on.
  expect(await scan()).toContain('food');
});
