import { useSignal } from '@preact/signals';
import type { NutrientDescription } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { today } from '../days.ts';
import { ownSettings } from '../offline/own-records.ts';
import { FOOD_NUTRIENTS, type FoodNutrient } from '../parts/nutrients.ts';
import { preferences } from '../preferences.ts';
import { numbers } from '../texts/texts.ts';
import type { FactNutrient } from './nutrient-names.ts';
import { nutrientsFor } from './read-facts.ts';
import { factTexts } from './texts/texts.ts';

/** Without an age, the references for adults are shown. */
const ADULT_AGE = 30;
const SHOWN_UNITS: Readonly<Record<string, string>> = { ug: 'µg', iu: 'IU' };

/** The intake of a day without its unit; a range where it depends on the sex, which is not known. */
export function referenceOf(nutrient: NutrientDescription | undefined): string | undefined {
  const { precise } = numbers.value;
  const values = nutrient?.references.map(({ value }) => value) ?? [];
  if (values.length === 0) return undefined;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? precise(least) : `${precise(least)}–${precise(most)}`;
}

/** Undefined while it is not known. */
export function unitOf(key: FactNutrient, nutrient: NutrientDescription | undefined): string | undefined {
  const unit = nutrient?.unit;
  const shown = unit === undefined ? undefined : (SHOWN_UNITS[unit] ?? unit);
  return FOOD_NUTRIENTS[key as FoodNutrient] ?? shown;
}

/** Empty until they are read; amounts of foods are shown without. */
export function useNutrients(): readonly NutrientDescription[] {
  const read = useSignal<readonly NutrientDescription[]>([]);
  const query = referenceQuery();
  useEffect(() => {
    let isGone = false;
    nutrientsFor(query).then(
      (nutrients) => {
        if (!isGone) read.value = nutrients;
      },
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [JSON.stringify(query)]);
  return read.value;
}

/** The person's sex and age, where both were stated for goals. */
function statedBody() {
  const { sex, birthYear } = ownSettings.value?.body ?? {};
  if (sex === undefined || birthYear === undefined) return undefined;
  return { sex, age: Number(today().slice(0, 4)) - birthYear };
}

function referenceQuery() {
  const source = preferences.value.units === 'us' ? ('nih' as const) : ('efsa' as const);
  return { source, ...(statedBody() ?? { age: ADULT_AGE }) };
}

/** Whose references they are, and that they are no advice. */
export function referenceMeaning(): string {
  const { referenceMeans, who } = factTexts.value;
  const body = statedBody();
  const whom = body === undefined ? who.adults : who[body.sex](numbers.value.whole(body.age));
  return referenceMeans(whom, referenceQuery().source.toUpperCase());
}
