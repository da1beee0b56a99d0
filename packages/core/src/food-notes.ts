/**
 * Changes that an import made to stated values, with their reasons. Append only: the position of a note is
 * its bit in food records. The text follows "for example" in reports and is a sentence for clients.
 */
const NOTES = [
  ['values_of_100_in_serving', 'values per 100 entered as values per serving'],
  ['scaled_from_serving', 'values per serving scaled to 100'],
  ['energy_was_kj', 'energy in kJ entered as kcal'],
  ['energy_from_kj', 'kcal and kJ disagree, kJ fit the nutrients'],
  ['energy_was_kcal', 'energy in kcal entered as kJ'],
  ['energy_dropped', 'energy below 0 or above 905 kcal per 100 dropped'],
  ['energies_disagree', 'kcal and kJ disagree, and nothing tells which is right: both dropped'],
  ['energy_nearer', 'kcal and kJ disagree, the one nearer to the nutrients kept'],
  ['rest_is_zero', 'missing nutrients taken as 0 beside others that weigh 100 g'],
  ['energy_derived', 'energy derived by 4-4-9 arithmetic'],
  ['protein_derived', 'protein derived by 4-4-9 arithmetic'],
  ['fat_derived', 'fat derived by 4-4-9 arithmetic'],
  ['carbohydrates_derived', 'carbohydrates derived by 4-4-9 arithmetic'],
  ['energy_of_polyols', 'energy derived with 2.4 kcal in 1 g of polyols, none in erythritol'],
  ['impossible_dropped', 'nutrient below 0 or above 100 g per 100 g dropped'],
  ['above_pure_dropped', 'mineral, vitamin or cholesterol above what its pure form holds dropped'],
  ['sum_dropped', 'protein, fat and carbohydrates that exceed 100 g in 100 g together dropped'],
  ['fiber_dropped', 'fibre that exceeds 100 g in 100 g together with the others dropped'],
  ['fat_exchanged', 'fat and saturates exchanged, which the energy proves'],
  ['carbohydrates_exchanged', 'carbohydrates and sugars exchanged, which the energy proves'],
  ['saturates_dropped', 'saturates above fat dropped'],
  ['trans_fat_dropped', 'trans fat above fat dropped'],
  ['sugars_dropped', 'sugars above carbohydrates dropped'],
  ['added_sugars_dropped', 'added sugars above sugars dropped'],
  ['part_rounded', 'part of a nutrient that rounding made larger than the whole set to it'],
  ['salt_counts', 'salt and sodium disagree, the salt counts'],
  ['sodium_kept', 'salt and sodium disagree, the sodium kept'],
  ['serving_text_counts', 'serving text and its number disagree, the text counts'],
  ['serving_count_dropped', 'number of a serving that only repeats its count left out'],
  ['serving_in_mg', 'serving in mg taken as g or ml'],
  ['serving_unknown', 'serving without a usable weight replaced by 100 g or ml'],
  ['rounded_zeros_dropped', 'zeros of a serving below 10 g or ml dropped, since labels round to them'],
  ['energy_too_low', 'energy far below that of protein, fat and sugars dropped'],
  [
    'rounded_zeros_kept',
    'energy or macros of 0 in a serving below 10 g or ml, where labels round to 0: 100 may have more',
  ],
] as const;

export type FoodNote = (typeof NOTES)[number][0];
export const FOOD_NOTES: readonly FoodNote[] = NOTES.map(([code]) => code);

const TEXTS: ReadonlyMap<FoodNote, string> = new Map(NOTES);

/** The reason under which import reports count it. */
export function noteText(note: FoodNote): string {
  return TEXTS.get(note)!;
}

/** The notes as a bit set. */
export function toNoteBits(notes: readonly FoodNote[]): number {
  return [...new Set(notes)].reduce((bits, note) => bits + 2 ** FOOD_NOTES.indexOf(note), 0);
}

/** Notes of a later version are ignored. */
export function fromNoteBits(bits: number): FoodNote[] {
  return FOOD_NOTES.filter((_, at) => Math.floor(bits / 2 ** at) % 2 === 1);
}
