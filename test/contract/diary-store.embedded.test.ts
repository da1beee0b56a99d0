import { openDiary } from '../support/open-diary.ts';
import { describeDiaryStore } from './diary-store-suite.ts';

describeDiaryStore('embedded', async () => {
  const { store: here, openStore, close } = await openDiary();
  const there = openStore();
  return {
    here,
    there,
    close: async () => {
      there.close();
      await close();
    },
  };
});
