import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createKeyIssuer, openKeyStore } from '../../src/app/keys.ts';
import { openDatabase } from '../../src/app/open-backend.ts';
import { readConfig } from '../../src/config/config.ts';
import { clusterSettings } from '../support/cluster-settings.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const KEY_LINE = /^ {4}(export KEY=.*)$/m;

test.skipIf(spawnSync('npx', ['--version']).error !== undefined).each(['diary.md', 'recipes-for-apps.md'])(
  'the line of docs/%s that sets KEY sets it to a key without downloading anything',
  async (page) => {
    using folder = tempFolder();
    const [, line] = KEY_LINE.exec(readFileSync(join(ROOT, 'docs', page), 'utf8'))!;
    const settings = { ...(await clusterSettings()), LARDER_DATA_DIR: join(folder.path, 'data') };
    // The page expects a service that was started with this folder and created the first key.
    const database = await openDatabase(readConfig(settings));
    await createKeyIssuer(openKeyStore(database)).create({ tenant: 'default', scopes: ['foods:read'] });
    await database.close();
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', `${line}; printf %s "$KEY"`], {
      cwd: ROOT,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        ...settings,
        HOME: folder.path,
        npm_config_cache: join(folder.path, 'npm'),
        // Nothing listens there.
        npm_config_registry: 'http://127.0.0.1:1',
        npm_config_update_notifier: 'false',
      },
    });
    expect(stdout, stderr).toMatch(/^lrd_\w+$/);
  },
);
