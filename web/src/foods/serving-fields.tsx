import { unitName } from '../amounts/amount-text.ts';
import { NumberField } from '../parts/number-field.tsx';
import { texts } from '../texts/texts.ts';
import { MAX_SERVING } from './food-fields.ts';
import { type FoodFields, HOUSEHOLD_UNITS, MEASURED_UNITS, needsWeight } from './typed-food.ts';

interface ServingFieldsProps {
  readonly values: FoodFields;
  readonly set: (change: Partial<FoodFields>) => void;
}

/** What the amounts are of, and how large a serving is. */
export function ServingFields({ values, set }: ServingFieldsProps) {
  const { foodForm: all, unit } = texts.value;
  const isServing = values.per === 'serving';
  const units: string[] = [...MEASURED_UNITS, ...HOUSEHOLD_UNITS];
  if (!units.includes(values.unit)) units.push(values.unit);
  return (
    <fieldset>
      <legend>{all.serving}</legend>
      <div class="fields">
        <label>
          {all.per}
          <select
            value={values.per}
            onChange={({ currentTarget: { value } }) => set({ per: value as FoodFields['per'] })}
          >
            {(['100g', '100ml', 'serving'] as const).map((each) => (
              <option key={each} value={each}>
                {all.bases[each]}
              </option>
            ))}
          </select>
        </label>
        <NumberField
          label={isServing ? all.servingIs : all.servingSize}
          {...(!isServing && { unit: values.per === '100ml' ? 'ml' : 'g' })}
          value={values.quantity}
          onInput={(text) => set({ quantity: text })}
          isRequired={isServing}
          min="0.001"
          max={MAX_SERVING}
        />
        {isServing && (
          <label>
            {unit}
            <select
              value={values.unit}
              onChange={({ currentTarget: { value } }) => set({ unit: value, label: '' })}
            >
              {units.map((each) => (
                <option key={each} value={each}>
                  {unitName(each)}
                </option>
              ))}
            </select>
          </label>
        )}
        {needsWeight(values) && (
          <NumberField
            label={all.weighs}
            unit="g"
            value={values.grams}
            onInput={(text) => set({ grams: text })}
            isRequired
            min="0.001"
            max={MAX_SERVING}
          />
        )}
      </div>
    </fieldset>
  );
}
