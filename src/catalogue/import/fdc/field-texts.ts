/** `food_attribute_type`: names that a food is also known by, in SR Legacy and in survey foods. */
export const COMMON_NAME = 1000;
export const ADDITIONAL_DESCRIPTION = 1001;

export const MAX_ALIASES = 60;

/** Codes of meat cuts and recipes, and remarks that hold for whole groups: nobody searches by them. */
const NO_NAME = /^(URMIS|NFSMI|NS\b|any |all |with or without |home recipe$|family style$|school lunch$)/i;
const MIN_ALIAS_LENGTH = 3;

/**
 * The aliases in the value of an attribute of one of the two types; `name` is the food's own.
 *
 * Common names are aliases as they are. Additional descriptions tell what else belongs to a food ("banana" for "Frozen
 * daiquiri"), so they only count together with the food's name. Codes and names come in comma-separated lists.
 */
export function aliasesIn(attributeType: number, value: string, name: string): string[] {
  if (attributeType === COMMON_NAME) return namesIn(value, /[;,]/);
  if (attributeType !== ADDITIONAL_DESCRIPTION) return [];
  const head = name.split(',', 1)[0];
  return namesIn(value, ';').map((description) => `${head} ${description}`);
}

function namesIn(value: string, separator: string | RegExp): string[] {
  return value
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part.length >= MIN_ALIAS_LENGTH && !NO_NAME.test(part));
}
