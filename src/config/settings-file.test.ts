import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { readConfig } from './config.ts';
import { newSettingsFile, readSettingsFile } from './settings-file.ts';

let dataDir: string;
let path: string;
beforeEach(() => {
  const folder = tempFolder();
  dataDir = folder.path;
  path = join(dataDir, 'larder.env');
  return () => folder[Symbol.dispose]();
});

const read = (text: string) => {
  writeFileSync(path, text);
  return readSettingsFile(dataDir)?.values;
};

test('a folder without the file has no settings, and neither does one that does not exist', () => {
  expect(readSettingsFile(dataDir)).toBeUndefined();
  expect(readSettingsFile(join(dataDir, 'nowhere'))).toBeUndefined();
});

test('lines are settings, comments or empty, whatever editor wrote them', () => {
  const text =
    '\uFEFF# mine\r\n\r\nLARDER_PORT=9000\r\n  LARDER_HOST = 10.0.0.1 \r\nexport LARDER_VISION_KEY="a#b c"\r\n';
  expect(read(text)).toEqual({ LARDER_PORT: '9000', LARDER_HOST: '10.0.0.1', LARDER_VISION_KEY: 'a#b c' });
});

test('the environment takes precedence over the file, except for empty values', () => {
  writeFileSync(path, 'LARDER_PORT=9000\nLARDER_HOST=10.0.0.1\nLARDER_THREADS=3');
  const file = readSettingsFile(dataDir);
  const config = readConfig({ LARDER_PORT: '9001', LARDER_HOST: '' }, file);
  expect(config).toMatchObject({ port: 9001, host: '10.0.0.1', apiThreads: 3 });
});

test.each([
  ['LARDER_PORT', /line 1: is not a setting such as/],
  ['LARDER_PORT=1\nLARDER_PORT=2', /line 2: LARDER_PORT is set a second time/],
  ['LADER_PORT=1', /line 1: LADER_PORT is not a setting/],
  ['LARDER_DATA_DIR=/x', /LARDER_DATA_DIR belongs in the environment/],
  [
    '\nLARDER_REDIS_URL=redis://:s3cret#1@cache',
    /line 2: the value of LARDER_REDIS_URL contains #: put it in quotes/,
  ],
])('%j is rejected with its line and without its value', (text, message) => {
  expect(() => read(text)).toThrow(OperatorError);
  expect(() => read(text)).toThrow(message);
  expect(() => read(text)).not.toThrow('s3cret');
});

test('mistakes in the file are named with the file', () => {
  writeFileSync(path, 'LARDER_PROT=1\nLARDER_THREADS=many');
  const file = readSettingsFile(dataDir);
  expect(() => readConfig({}, file)).toThrow(
    `LARDER_PROT of ${path} is not a setting; did you mean LARDER_PORT?`,
  );
  expect(() => readConfig({}, file)).toThrow(`LARDER_THREADS="many" of ${path} must be`);
  expect(() => readConfig({ LARDER_THREADS: 'few' }, file)).toThrow('LARDER_THREADS="few" must be');
});

test('anything but a short regular file is rejected', () => {
  mkdirSync(path);
  expect(() => readSettingsFile(dataDir)).toThrow(/not a regular file/);
  const other = join(dataDir, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'larder.env'), `#${'x'.repeat(70_000)}`);
  expect(() => readSettingsFile(other)).toThrow(/longer than 64 KiB/);
});

test('a link to a file elsewhere is followed', () => {
  writeFileSync(join(dataDir, 'shared.env'), 'LARDER_PORT=9000');
  symlinkSync('shared.env', path);
  expect(readSettingsFile(dataDir)?.values).toEqual({ LARDER_PORT: '9000' });
});

test('a new file leads to the same address, and opens no copied folder to the network', () => {
  const publicUrl = 'https://food.example.org';
  for (const host of ['127.0.0.1', '192.168.1.5', '::1']) {
    expect(readConfig(read(newSettingsFile({ host, port: 9000, publicUrl }))!)).toMatchObject({
      host,
      port: 9000,
      publicUrl,
    });
  }
  const open = read(newSettingsFile({ host: '0.0.0.0', port: 0, publicUrl: undefined }));
  expect(open).toEqual({});
});
