import { openDiary } from '../support/open-diary.ts';
import { diaryStoreContract } from './diary-store.ts';

diaryStoreContract('embedded', async () => {
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
