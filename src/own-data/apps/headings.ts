import { fold } from '@larder/core/words/tokenise.ts';

/** The meaning of a diary column that states no nutrient. */
export const ROLES = [
  'date',
  'time',
  'meal',
  'food',
  'brand',
  'quantity',
  'unit',
  'note',
  'servingSize',
  'servingUnit',
] as const;
export type Role = (typeof ROLES)[number];

/** Headings in English, German, French, Spanish, Italian and Portuguese, folded, with "_" as a space. */
const NAMES: Readonly<Record<Role, string>> = {
  date: 'date|day|datum|tag|jour|fecha|dia|data|giorno|date time|entry date',
  time: 'time|uhrzeit|zeit|heure|hora|ora',
  meal: 'meal|group|meal type|mealtype|type|mahlzeit|repas|comida|pasto|refeicao|meal name group',
  food: 'food|food name|foodname|name|meal name|item|lebensmittel|speise|produkt|aliment|nom|alimento|nombre|nome|cibo',
  brand: 'brand|brands|meal brands|marke|marque|marca',
  quantity: 'quantity|amount|qty|menge|anzahl|quantite|cantidad|quantita|quantidade',
  unit: 'unit|units|einheit|unite|unidad|unita|unidade',
  note: 'note|notes|comment|notiz|notizen|bemerkung|remarque|nota|notas|commento|comentario',
  servingSize: 'meal serving quantity',
  servingUnit: 'meal serving unit',
};

const ROLE_OF: ReadonlyMap<string, Role> = new Map(
  ROLES.flatMap((role) => NAMES[role].split('|').map((name) => [name, role] as const)),
);

/** One spelling of a heading: "meal_name" and "Meal Name" are equal. */
export function headingKey(heading: string): string {
  return fold(heading)
    .replace(/[_\s]+/g, ' ')
    .trim();
}

export function roleOf(heading: string): Role | undefined {
  return ROLE_OF.get(headingKey(heading));
}
