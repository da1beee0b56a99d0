import { energyUnit } from '../parts/measures.ts';
import { NumberField } from '../parts/number-field.tsx';
import { texts } from '../texts/texts.ts';
import type { ValueFields } from './entry-fields.ts';

interface ValueFieldsProps {
  readonly values: ValueFields;
  /** Energy can be left out only where it was unknown before. */
  readonly isEnergyRequired: boolean;
  readonly set: (change: Partial<ValueFields>) => void;
}

/** Name, energy and macros of an entry without a food. */
export function EntryValues({ values, isEnergyRequired, set }: ValueFieldsProps) {
  const all = texts.value;
  return (
    <>
      <label class="wide">
        {all.quickName}
        <input
          required
          maxLength={200}
          value={values.name}
          onInput={({ currentTarget: { value } }) => set({ name: value })}
        />
      </label>
      <NumberField
        label={all.energy}
        unit={energyUnit.value}
        isRequired={isEnergyRequired}
        value={values.energy}
        onInput={(energy) => set({ energy })}
      />
      {(['protein', 'carbs', 'fat'] as const).map((key) => (
        <NumberField
          key={key}
          label={all[key]}
          unit="g"
          value={values[key]}
          onInput={(value) => set({ [key]: value })}
        />
      ))}
    </>
  );
}
