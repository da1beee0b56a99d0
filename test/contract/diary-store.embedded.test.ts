import { openDatabase } from '../../src/db/sqlite/database.ts';
import { CustomFoodStore } from '../../src/foods/custom/custom-food-store.ts';
import { openDiary } from '../support/open-diary.ts';
import { diaryStoreContract, MAX_NEW_ENTRIES } from './diary-store.ts';
import { measurementStoreContract } from './measurement-store.ts';
import { photoStoreContract } from './photo-store.ts';
import { recordStoreContract } from './record-store.ts';

diaryStoreContract('embedded', async () => {
  const { store: here, openThread, close, file } = await openDiary();
  const db = await openDatabase({ file });
  const there = openThread();
  const limited = openThread({ maxNewEntries: MAX_NEW_ENTRIES });
  return {
    here,
    there: there.store,
    limited: limited.store,
    foods: new CustomFoodStore(db),
    close: async () => {
      there.close();
      limited.close();
      await db.close();
      await close();
    },
  };
});

measurementStoreContract('embedded', () => openDiary());
recordStoreContract('embedded', () => openDiary());
photoStoreContract('embedded', () => openDiary());
