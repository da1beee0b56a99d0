import { useSignal } from '@preact/signals';
import type { MeasurementInput } from 'larder-client';
import { person } from '../account/session.ts';
import { numberOf } from '../amounts/typed-number.ts';
import { shifted, today } from '../days.ts';
import { write } from '../offline/queue/write.ts';
import { writeOne } from '../offline/queue/write-one.ts';
import type { NewWrite } from '../offline/queue/writes.ts';
import { bodyUnit, inBodyUnit } from '../parts/measures.ts';
import { NumberField } from '../parts/number-field.tsx';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { tell } from '../parts/toast.tsx';
import { numbers, texts } from '../texts/texts.ts';
import { additionOfMeasurement, momentOf } from './new-measurement.ts';
import { weightRange } from './weight-range.ts';

export const WEIGHT_NAME = 'weight';

/** Weighs of the day that is chosen, at noon unless it is today. */
export function WeightForm({ onSaved }: { readonly onSaved?: () => void }) {
  const { trendsPage: all, save, chooseDay } = texts.value;
  const value = useSignal('');
  const day = useSignal(today());
  const problem = useSignal('');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const [min, max] = weightRange((kg) => inBodyUnit(kg, 'kg'));
    if (numberOf(value.value) < min || numberOf(value.value) > max) {
      const { whole } = numbers.peek();
      problem.value = all.weightRange(whole(min), whole(max), bodyUnit.peek());
      (event.currentTarget as HTMLFormElement).querySelector('input')?.focus();
      return;
    }
    try {
      const weight = { name: WEIGHT_NAME, value: numberOf(value.value), unit: bodyUnit.peek() } as const;
      const addition = weightOf({ ...weight, measuredAt: momentOf(day.value) });
      await writeOne('measurement', addition);
      value.value = '';
      problem.value = '';
      tell(all.weightAdded, async () => {
        await write([{ kind: 'measurement', id: addition.id, op: 'remove' }]);
      });
      onSaved?.();
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  return (
    <form class="weight-form" aria-label={all.enterWeight} onSubmit={(event) => void submit(event)}>
      <NumberField
        label={all.weight}
        unit={bodyUnit.value}
        value={value.value}
        isRequired
        onInput={(text) => setTo(value, text)}
      />
      <label>
        {chooseDay}
        <input
          type="date"
          required
          max={shifted(today(), 1)}
          value={day.value}
          onChange={({ currentTarget }) =>
            setTo(day, currentTarget.value === '' ? today() : currentTarget.value)
          }
        />
      </label>
      <button type="submit" class="primary">
        {save}
      </button>
      <Problem text={problem.value} />
    </form>
  );
}

/** A new measurement of these values. */
export function weightOf(values: Omit<MeasurementInput, 'id'>): NewWrite {
  return additionOfMeasurement(person.peek()!.id, values);
}
