import { useDraft } from '../parts/draft.ts';
import { energyUnit, kcalOf } from '../parts/measures.ts';
import { NumberField } from '../parts/number-field.tsx';
import { texts } from '../texts/texts.ts';
import type { NewFood } from '../today/day-store.ts';
import { draftName } from './dialog-state.ts';

interface QuickAddProps {
  readonly name: string;
  readonly write: (foods: readonly NewFood[]) => Promise<void>;
}

const MACROS = ['protein', 'carbs', 'fat'] as const;
const MAX_NAME_LENGTH = 200;
const EMPTY = { name: '', calories: '', protein: '', carbs: '', fat: '' };

/** Energy, and macros if they are known, for what no food stands for. Empty fields are unknown. */
export function QuickAdd({ name, write }: QuickAddProps) {
  const all = texts.value;
  const { values, set, clear } = useDraft(draftName('quick'), {
    ...EMPTY,
    name: name.slice(0, MAX_NAME_LENGTH),
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const stated = MACROS.filter((key) => values[key] !== '').map((key) => [key, Number(values[key])]);
    const foodName = values.name.trim() === '' ? all.quickAdd : values.name.trim();
    await write([{ foodName, calories: kcalOf(Number(values.calories)), ...Object.fromEntries(stated) }]);
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
        isRequired
        value={values.calories}
        onInput={(calories) => set({ calories })}
      />
      <div class="triple">
        {MACROS.map((key) => (
          <NumberField
            key={key}
            label={all[key]}
            unit="g"
            value={values[key]}
            onInput={(value) => set({ [key]: value })}
          />
        ))}
      </div>
      <button type="submit" class="primary">
        {all.add}
      </button>
    </form>
  );
}
