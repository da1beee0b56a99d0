import { unitName } from '../amounts/amount-text.ts';
import { NumberField } from '../parts/number-field.tsx';
import { texts } from '../texts/texts.ts';
import { MAX_SERVING, onBasis } from './food-fields.ts';
import { type FoodFields, HOUSEHOLD_UNITS, MEASURED_UNITS, needsWeight } from './typed-food.ts';

/** The label of a serving has its weight beside the name. */
const MAX_SERVING_NAME = 60;

interface ServingFieldsProps {
  readonly values: FoodFields;
  readonly set: (change: Partial<FoodFields>) => void;
}

/** What the amounts are of, and how large a serving is. */
export function ServingFields({ values, set }: ServingFieldsProps) {
  const { foodForm: all, unit } = texts.value;
  const isServing = values.per === 'serving';
  const isNamed = isServing ? values.unit === 'g' || values.unit === 'ml' : values.quantity !== '';
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
            onChange={({ currentTarget: { value } }) => set(onBasis(values, value as FoodFields['per']))}
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
          isPositive
          max={MAX_SERVING}
        />
        {isServing && (
          <label>
            {unit}
            <select
              value={values.unit}
              onChange={({ currentTarget: { value } }) => set({ unit: value, servingName: '' })}
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
            isPositive
            max={MAX_SERVING}
          />
        )}
        {isNamed && (
          <label>
            {all.servingName}
            <input
              value={values.servingName}
              maxLength={MAX_SERVING_NAME}
              placeholder={all.servingNameHint}
              autocomplete="off"
              onInput={({ currentTarget: { value } }) => set({ servingName: value })}
            />
          </label>
        )}
      </div>
    </fieldset>
  );
}
