import { ChangeLog } from '../../src/changes/change-log.ts';
import { openDiary } from '../support/open-diary.ts';
import { changeLogContract } from './change-log.ts';

changeLogContract('embedded', async () => {
  const { openThread, close } = await openDiary();
  const threads = [openThread(), openThread()] as const;
  const [here, there] = threads.map(({ sql, store }) => ({ ...sql, diary: store, log: new ChangeLog(sql) }));
  return {
    here: here!,
    there: there!,
    close: async () => {
      for (const thread of threads) thread.close();
      await close();
    },
  };
});
