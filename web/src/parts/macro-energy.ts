/** kcal in a gram: the general factors of Atwater. Alcohol has 7, and is no macro. */
export const KCAL_PER_G = { protein: 4, carbs: 4, fat: 9 } as const;
export type Macro = keyof typeof KCAL_PER_G;
export const MACRO_KEYS = Object.keys(KCAL_PER_G) as Macro[];

/** kcal of these grams; undefined while one of the three is unknown. */
export function energyOfMacros(grams: Readonly<Partial<Record<Macro, number>>>): number | undefined {
  if (MACRO_KEYS.some((key) => grams[key] === undefined)) return undefined;
  return MACRO_KEYS.reduce((sum, key) => sum + grams[key]! * KCAL_PER_G[key], 0);
}

/** The part of an energy that grams of a macro are, in percent. */
export function percentOf(key: Macro, grams: number, kcal: number): number {
  return ((grams * KCAL_PER_G[key]) / kcal) * 100;
}

/** The grams of a macro that are this part of an energy. */
export function gramsOf(key: Macro, percent: number, kcal: number): number {
  return ((percent / 100) * kcal) / KCAL_PER_G[key];
}
