/**
 * The version of segments. Raise it with every change that an older program would misread: to records, or to the lists
 * that give them their meaning (`ORIGINS`, `FOOD_SOURCES`, `NUTRIENT_KEYS`). It costs operators a new import.
 */
export const SEGMENT_FORMAT_VERSION = 2;
/** Version 1 lacks nutrients that are stated for another amount than 100. */
const OLDEST_SEGMENT_FORMAT_VERSION = 1;

/**
 * The version of catalogues: raise it with that of segments, and with every change to a section, those of the search
 * index included. It costs operators a `larder catalogue rebuild`.
 */
export const CATALOGUE_FORMAT_VERSION = 4;
/** Version 3 has the records of segments of version 1. */
const OLDEST_CATALOGUE_FORMAT_VERSION = 3;

export const SEGMENT_MAGIC = 'LARDERSG';
export const CATALOGUE_MAGIC = 'LARDERCT';

export function isReadableSegment(version: number): boolean {
  return version >= OLDEST_SEGMENT_FORMAT_VERSION && version <= SEGMENT_FORMAT_VERSION;
}

export function isReadableCatalogue(version: number): boolean {
  return version >= OLDEST_CATALOGUE_FORMAT_VERSION && version <= CATALOGUE_FORMAT_VERSION;
}

/** For messages about files of other versions. */
export const READABLE_SEGMENTS = `${OLDEST_SEGMENT_FORMAT_VERSION} to ${SEGMENT_FORMAT_VERSION}`;
export const READABLE_CATALOGUES = `${OLDEST_CATALOGUE_FORMAT_VERSION} to ${CATALOGUE_FORMAT_VERSION}`;
