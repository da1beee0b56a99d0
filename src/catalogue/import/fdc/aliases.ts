/** `food_attribute_type`: names that a food is also known by, in SR Legacy and in survey foods. */
export const COMMON_NAME = 1000;
export const ADDITIONAL_DESCRIPTION = 1001;

export const MAX_ALIASES = 60;

/** Codes of meat cuts and recipes, and remarks that hold for whole groups: nobody searches by them. */
const NO_NAME = /^(URMIS|NFSMI|NS\b|any |all |with or without |home recipe$|family style$|school lunch$)/i;
const MIN_ALIAS_LENGTH = 3;

/** The names in the value of an attribute of one of the two types. Codes stand in lists with commas, names too. */
export function aliasesIn(attributeType: number, value: string): string[] {
  if (attributeType !== COMMON_NAME && attributeType !== ADDITIONAL_DESCRIPTION) return [];
  return value
    .split(attributeType === COMMON_NAME ? /[;,]/ : ';')
    .map((part) => part.trim())
    .filter((part) => part.length >= MIN_ALIAS_LENGTH && !NO_NAME.test(part));
}
