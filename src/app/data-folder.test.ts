import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { leftByOthers } from './data-folder.ts';

test('what another user left in the data folder is named, with the command that gives it back', async () => {
  using folder = tempFolder();
  const catalogues = join(folder.path, 'catalogues');
  mkdirSync(catalogues, { mode: 0o755 });
  const file = join(catalogues, 'a.catalogue');
  writeFileSync(file, '', { mode: 0o644 });
  const uid = process.getuid!();
  const gid = process.getgid!();
  mkdirSync(join(folder.path, 'lost+found'));
  expect(await leftByOthers({ dataDir: folder.path }, { uid: uid + 1, gids: [gid + 1] })).toContain(
    `owns ${catalogues}, ${file}, so that the service cannot write there; give them back: sudo chown -R ${uid + 1}:${gid + 1} ${folder.path}`,
  );
  // Own files, and root's view.
  expect(await leftByOthers({ dataDir: folder.path }, { uid, gids: [gid] })).toBeUndefined();
  expect(await leftByOthers({ dataDir: folder.path }, { uid: 0, gids: [0] })).toBeUndefined();
});
