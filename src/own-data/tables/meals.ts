import { fold } from '@larder/core/words/tokenise.ts';
import type { MealType } from '../../diary/records/entry.ts';

/** Names of meals in English, German, French, Spanish, Italian and Portuguese, folded. */
const NAMES: Readonly<Record<MealType, string>> = {
  breakfast:
    'breakfast|morning|fruhstuck|fruehstuck|petit dejeuner|petit-dejeuner|desayuno|colazione|prima colazione|cafe da manha|pequeno almoco|pequeno-almoco',
  lunch: 'lunch|midday|mittagessen|mittag|dejeuner|almuerzo|comida|pranzo|almoco',
  dinner: 'dinner|supper|evening|abendessen|abendbrot|diner|souper|cena|jantar',
  snacks:
    'snack|snacks|snacks/other|other|snack/other|zwischenmahlzeit|zwischenmahlzeiten|snacks/sonstiges|sonstiges|snacks/andere|collation|collations|gouter|en-cas|en-cas/autre|encas|merienda|meriendas|tentempie|tentempies|spuntino|spuntini|merenda|lanche|lanches|lanches/outros|tentempies/otros|spuntini/altro',
};

const MEALS: ReadonlyMap<string, MealType> = new Map(
  Object.entries(NAMES).flatMap(([meal, names]) => names.split('|').map((name) => [name, meal as MealType])),
);

/** The meal that a name means in one of six languages; undefined for other names, such as "Post-Workout". */
export function mealNamed(name: string): MealType | undefined {
  return MEALS.get(fold(name).trim().replace(/\s+/g, ' '));
}
