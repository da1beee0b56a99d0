import { useSignal } from '@preact/signals';
import { numberOf } from '../amounts/typed-number.ts';
import { changeSettings, ownSettings } from '../offline/own-records.ts';
import { NumberField } from '../parts/number-field.tsx';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { setTo } from '../parts/signals.ts';
import { inVolumeUnit, mlOf, volumeUnit } from '../parts/volumes.ts';
import { preferences } from '../preferences.ts';
import { texts } from '../texts/texts.ts';
import { glassMl } from './day-record.ts';

/** The goal of water, and what one tap adds. */
export function WaterSheet({ onClose }: { readonly onClose: () => void }) {
  const { dayExtras, save } = texts.value;
  const shown = (ml: number | undefined) => (ml === undefined ? '' : String(inVolumeUnit(ml)));
  const goal = useSignal(shown(ownSettings.peek()?.waterGoalMl));
  const step = useSignal(shown(glassMl(ownSettings.peek()?.waterStepMl, preferences.peek().units === 'us')));
  const problem = useSignal('');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const stated = (typed: string) => ((numberOf(typed) ?? 0) > 0 ? mlOf(numberOf(typed) ?? 0) : null);
    try {
      await changeSettings({ waterGoalMl: stated(goal.value), waterStepMl: stated(step.value) });
      onClose();
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  return (
    <Sheet title={dayExtras.waterSettings} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        {(
          [
            [dayExtras.waterGoal, goal],
            [dayExtras.waterStep, step],
          ] as const
        ).map(([label, value]) => (
          <NumberField
            key={label}
            label={label}
            unit={volumeUnit.value}
            value={value.value}
            onInput={(text) => setTo(value, text)}
          />
        ))}
        <button type="submit" class="primary">
          {save}
        </button>
        <Problem text={problem.value} />
      </form>
    </Sheet>
  );
}
