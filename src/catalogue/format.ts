/**
 * The version of segments. Raise it with every change that an older program would misread: to records, or to the lists
 * that give them their meaning (`ORIGINS`, `FOOD_SOURCES`, `NUTRIENT_KEYS`). It costs operators a new import.
 */
export const SEGMENT_FORMAT_VERSION = 1;

/**
 * The version of catalogues: raise it with that of segments, and with every change to a section, those of the search
 * index included. It costs operators a `larder catalogue rebuild`.
 */
export const CATALOGUE_FORMAT_VERSION = 3;

export const SEGMENT_MAGIC = 'LARDERSG';
export const CATALOGUE_MAGIC = 'LARDERCT';
