/** Ids are compared byte by byte, as in `tables.ts`. */
const ID = 'text collate "C" not null';

/** The part of the source to import, as JSON; null for all of it. */
export const SLICE = 'slice text';

/** The imports that operators start; see `tables.ts`. */
export const IMPORT_TABLES = {
  /** Times are Unix milliseconds; `progress` and `report` are JSON. */
  catalogue_imports: {
    columns: [
      `id ${ID}`,
      'source text not null',
      'state text not null',
      'file_name text',
      'file_bytes bigint',
      'created_at_ms bigint not null',
      // The process that works on the import updates it regularly; an old value means that the import was
      // interrupted.
      'alive_until_ms bigint not null',
      'finished_at_ms bigint',
      'progress text not null',
      'report text',
      'error text',
      SLICE,
    ],
    key: 'id',
    indexes: [
      'index catalogue_imports_under_way on catalogue_imports (alive_until_ms) where finished_at_ms is null',
    ],
  },
};
