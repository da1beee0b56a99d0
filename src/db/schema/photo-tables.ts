const ID = 'text collate "C" not null';

/** The tables of remembered photos; `tables.ts` adds them to the schema. */
export const PHOTO_TABLES = {
  /** Photos on which foods were confirmed; the id is that of the diary entry. See `RememberedPhotoStore`. */
  remembered_photos: {
    columns: [
      'tenant_id text not null',
      'user_id text not null',
      `id ${ID}`,
      `food_id ${ID}`,
      `date ${ID}`,
      'network text not null',
      'vector bytea not null',
    ],
    key: 'tenant_id, user_id, id',
    indexes: ['index remembered_photos_by_food on remembered_photos (tenant_id, user_id, food_id, id)'],
  },
};
