import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/adapters/embedded/database.ts';
import { SqliteDiaryStore } from '../../src/adapters/embedded/diary-store.ts';
import { DiaryWriteClient } from '../../src/adapters/embedded/diary-write-client.ts';
import { DiaryWriter } from '../../src/adapters/embedded/diary-writer.ts';
import { describeDiaryStore } from './diary-store-suite.ts';

describeDiaryStore('embedded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-diary-'));
  const file = join(folder, 'larder.db');
  await (await openDatabase({ file })).destroy();
  const writer = DiaryWriter.start({
    file,
    onFailure: (cause) => {
      throw cause;
    },
  });
  const open = () =>
    SqliteDiaryStore.open({ file, writer: new DiaryWriteClient({ port: writer.connect() }) });
  const [here, there] = [open(), open()];
  return {
    here,
    there,
    close: async () => {
      here.close();
      there.close();
      await writer.close();
      await rm(folder, { recursive: true });
    },
  };
});
