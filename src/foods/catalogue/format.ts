/**
 * The version of segments. Raise it with every change that an older program would misread: to records, or to the
 * lists that define them (`ORIGINS`, `FOOD_SOURCES`, `NUTRIENT_KEYS`). Operators then have to import again.
 */
export const SEGMENT_FORMAT_VERSION = 2;
/** Version 1 has no nutrients for stated amounts. */
const OLDEST_SEGMENT_FORMAT_VERSION = 1;

/**
 * The version of catalogues. Raise it with that of segments, and with every change to a section, including those of
 * the search index: a service then compiles its imports again at its next start. A new section that readers can do
 * without needs no new version, since readers ignore the sections that they do not know.
 */
export const CATALOGUE_FORMAT_VERSION = 5;
/** Version 3 has the records of segment version 1; versions before 5 have no names to read texts with. */
const OLDEST_CATALOGUE_FORMAT_VERSION = 3;

export const SEGMENT_MAGIC = 'LARDERSG';
export const CATALOGUE_MAGIC = 'LARDERCT';

export function isReadableSegment(version: number): boolean {
  return version >= OLDEST_SEGMENT_FORMAT_VERSION && version <= SEGMENT_FORMAT_VERSION;
}

export function isReadableCatalogue(version: number): boolean {
  return version >= OLDEST_CATALOGUE_FORMAT_VERSION && version <= CATALOGUE_FORMAT_VERSION;
}

/** Version ranges for messages about files of other versions. */
export const READABLE_SEGMENTS = `${OLDEST_SEGMENT_FORMAT_VERSION} to ${SEGMENT_FORMAT_VERSION}`;
export const READABLE_CATALOGUES = `${OLDEST_CATALOGUE_FORMAT_VERSION} to ${CATALOGUE_FORMAT_VERSION}`;
