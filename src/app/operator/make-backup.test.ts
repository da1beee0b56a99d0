import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { Places } from '../../base/places.ts';
import type { Config } from '../../config/config.ts';
import { makeBackup } from './make-backup.ts';

test('another backup is made when the one before was read, or left, and no file stays', async () => {
  using folder = tempFolder();
  const config = { mode: 'embedded', dataDir: folder.path } as Config;
  const ports = {
    work: {
      backUp: async (file: string) => {
        await writeFile(file, 'a database');
        return 'ab12';
      },
    },
    places: new Places({ all: 1, each: [] }),
  };
  const first = await makeBackup(config, ports);
  await expect(makeBackup(config, ports)).rejects.toMatchObject({ code: 'conflict' });
  expect([first.bytes, first.sha256, String(await buffer(first.stream))]).toEqual([10, 'ab12', 'a database']);
  for (let left = 0; left < 2; left++) {
    const { bytes, stream } = await makeBackup(config, ports);
    expect(bytes).toBe(10);
    stream.destroy();
    await once(stream, 'close');
  }
  expect(readdirSync(join(folder.path, 'downloads'))).toEqual([]);
});

test('a backup that fails leaves its place', async () => {
  using folder = tempFolder();
  const config = { mode: 'embedded', dataDir: folder.path } as Config;
  const places = new Places({ all: 1, each: [] });
  const work = { backUp: () => Promise.reject(new Error('no disk')) };
  await expect(makeBackup(config, { work, places })).rejects.toThrow('no disk');
  expect(places.take([])).toBeDefined();
});
