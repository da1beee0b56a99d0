import { openDatabase } from '../../src/storage/sqlite/database.ts';
import { SqlTenantFoodStore } from '../../src/storage/tenant-food-store.ts';
import { openDiary } from '../support/open-diary.ts';
import { diaryStoreContract } from './diary-store.ts';

diaryStoreContract('embedded', async () => {
  const { store: here, openThread, close, file } = await openDiary();
  const db = await openDatabase({ file });
  const there = openThread();
  return {
    here,
    there: there.store,
    foods: new SqlTenantFoodStore(db),
    close: async () => {
      there.close();
      await db.close();
      await close();
    },
  };
});
