/**
 * The version of segments and catalogues. Raise it with every change that an older program would misread: to
 * records, to the lists that give them their meaning (`ORIGINS`, `FOOD_SOURCES`, `NUTRIENT_KEYS`), to a section.
 */
export const FORMAT_VERSION = 1;

export const SEGMENT_MAGIC = 'LARDERSG';
export const CATALOGUE_MAGIC = 'LARDERCT';
