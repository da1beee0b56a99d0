import { numberOf } from '../amounts/typed-number.ts';
import { useDraft } from '../parts/draft.ts';
import { energyOfMacros, MACRO_KEYS } from '../parts/macro-energy.ts';
import { energyOf, energyText, energyUnit, kcalOf } from '../parts/measures.ts';
import { NumberField } from '../parts/number-field.tsx';
import { numbers, texts } from '../texts/texts.ts';
import type { NewFood } from '../today/day-store.ts';
import { draftName } from './dialog-state.ts';

interface QuickAddProps {
  readonly name: string;
  readonly write: (foods: readonly NewFood[]) => Promise<void>;
}

const MAX_NAME_LENGTH = 200;
const EMPTY = { name: '', calories: '', protein: '', carbs: '', fat: '' };

/** An entry without a food: energy, and macros if known. Empty fields are unknown. */
export function QuickAdd({ name, write }: QuickAddProps) {
  const all = texts.value;
  const { values, set, clear } = useDraft(draftName('quick'), {
    ...EMPTY,
    name: name.slice(0, MAX_NAME_LENGTH),
  });
  const macros = Object.fromEntries(
    MACRO_KEYS.filter((key) => numberOf(values[key]) >= 0).map((key) => [key, numberOf(values[key])]),
  );
  /** Proposed while no energy is typed. */
  const computed = energyOfMacros(macros);
  const isComputed = values.calories === '' && computed !== undefined;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const foodName = values.name.trim() === '' ? all.quickAdd : values.name.trim();
    const calories =
      values.calories.trim() === ''
        ? Math.round(computed! * 1_000) / 1_000
        : kcalOf(numberOf(values.calories));
    await write([{ foodName, calories, ...macros }]);
  };
  return (
    <form
      class="quick"
      aria-label={all.quickAdd}
      onSubmit={(event) => void submit(event).then(clear, () => {})}
    >
      <label>
        {all.quickName}
        <input
          maxLength={MAX_NAME_LENGTH}
          value={values.name}
          onInput={({ currentTarget: { value } }) => set({ name: value })}
        />
      </label>
      <NumberField
        label={all.energy}
        unit={energyUnit.value}
        isRequired={!isComputed}
        placeholder={isComputed ? numbers.value.whole(energyOf(computed)) : undefined}
        value={values.calories}
        onInput={(calories) => set({ calories })}
      />
      <div class="triple">
        {MACRO_KEYS.map((key) => (
          <NumberField
            key={key}
            label={all[key]}
            unit="g"
            value={values[key]}
            onInput={(value) => set({ [key]: value })}
          />
        ))}
      </div>
      <p class="quiet note" role="status">
        {isComputed ? all.energyComputed(energyText(computed)) : all.energyOrMacros}
      </p>
      <button type="submit" class="primary">
        {all.add}
      </button>
    </form>
  );
}
