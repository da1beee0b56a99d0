import { openDiary } from '../support/open-diary.ts';
import { userFeedContract } from './user-feed.ts';

userFeedContract('embedded', async () => {
  const { openThread, hints, close } = await openDiary();
  const threads = [openThread(), openThread()] as const;
  const [here, there] = threads.map(({ sql, store }) => ({ sql, diary: store, hints }));
  return {
    here: here!,
    there: there!,
    close: async () => {
      for (const thread of threads) thread.close();
      await close();
    },
  };
});
