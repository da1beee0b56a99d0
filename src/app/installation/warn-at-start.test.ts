import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { readConfig } from '../../config/config.ts';
import { warnAtStart } from './warn-at-start.ts';

async function warningsOf(settings: Record<string, string>): Promise<unknown[][]> {
  using folder = tempFolder();
  const warnings: unknown[][] = [];
  const config = readConfig({ LARDER_DATA_DIR: folder.path, LARDER_DISK_RESERVE_MB: '0', ...settings });
  await warnAtStart(config, { warn: (...line: unknown[]) => warnings.push(line) });
  return warnings;
}

test('a start with consistent settings logs no warning', async () => {
  expect(
    await warningsOf({ LARDER_OIDC_ISSUER: 'https://id.example', LARDER_OIDC_AUDIENCE: 'food' }),
  ).toEqual([]);
});

test('a setting of an issuer or a model that is not configured is reported', async () => {
  expect(await warningsOf({ LARDER_OIDC_AUDIENCE: 'food', LARDER_OIDC_USER_CLAIM: '' })).toEqual([
    [{ settings: ['LARDER_OIDC_AUDIENCE'] }, 'settings are ignored, since LARDER_OIDC_ISSUER is not set'],
  ]);
});

test('a warning states both figures if the disk is smaller than the reserve', async () => {
  expect(await warningsOf({ LARDER_DISK_RESERVE_MB: '1000000' })).toEqual([
    [
      { freeBytes: expect.any(Number), reserveBytes: 1e12 },
      'the disk has less free than LARDER_DISK_RESERVE_MB; uploads and imports are refused',
    ],
  ]);
});
