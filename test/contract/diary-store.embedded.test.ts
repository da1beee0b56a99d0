import { openDatabase, toSql } from '../../src/storage/sqlite/database.ts';
import { SqlTenantFoodStore } from '../../src/storage/tenant-food-store.ts';
import { openDiary } from '../support/open-diary.ts';
import { diaryStoreContract } from './diary-store.ts';

diaryStoreContract('embedded', async () => {
  const { store: here, openStore, close, file } = await openDiary();
  const db = await openDatabase({ file });
  const there = openStore();
  return {
    here,
    there,
    foods: new SqlTenantFoodStore(toSql(db)),
    close: async () => {
      there.close();
      await db.destroy();
      await close();
    },
  };
});
