/**
 * The version of segments. Raise it with every change that an older program would misread: to records, or to the
 * lists that define them (`ORIGINS`, `FOOD_SOURCES`). A new nutrient needs no new version.
 */
export const SEGMENT_FORMAT_VERSION = 4;
/** Records before version 3 are converted while they are read (`segment-reader.ts`). */
export const RECORD_FORMAT_VERSION = 3;
const OLDEST_SEGMENT_FORMAT_VERSION = 2;

/**
 * The version of catalogues. Raise it with that of segments, and with every change to a section, including those of
 * the search index: a service then compiles its imports again at its next start. A new section that readers can do
 * without needs no new version, since readers ignore the sections that they do not know.
 */
export const CATALOGUE_FORMAT_VERSION = 9;

export const SEGMENT_MAGIC = 'LARDERSG';
export const CATALOGUE_MAGIC = 'LARDERCT';

export function isReadableSegment(version: number): boolean {
  return version >= OLDEST_SEGMENT_FORMAT_VERSION && version <= SEGMENT_FORMAT_VERSION;
}

export function isReadableCatalogue(version: number): boolean {
  return version === CATALOGUE_FORMAT_VERSION;
}

/** Version ranges for messages about files of other versions. */
export const READABLE_SEGMENTS = `${OLDEST_SEGMENT_FORMAT_VERSION} to ${SEGMENT_FORMAT_VERSION}`;
