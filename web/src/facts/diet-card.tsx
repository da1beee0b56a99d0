import { useSignal, useSignalEffect } from '@preact/signals';
import type { Allergen } from 'larder-client';
import { useRef } from 'preact/hooks';
import '../styles/facts.css';
import { changeSettings, ownSettings } from '../offline/own-records.ts';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { Card } from '../settings/card.tsx';
import { Choice as ChoiceField } from '../settings/display-card.tsx';
import { DIETS } from './own-diet.ts';
import { factTexts } from './texts/texts.ts';

const ANY = '';

/** The choice of a diet and of allergens to avoid, for all devices. */
export function DietCard() {
  const { allergens: names, diets, dietCard: all } = factTexts.value;
  const { diet, allergens, problem, save } = useChoice();
  const isOther = diet !== ANY && !DIETS.some((each) => each === diet);
  return (
    <Card title={all.title} text={all.text}>
      <ChoiceField
        label={all.diet}
        value={diet}
        options={[
          [ANY, all.any],
          ...DIETS.map((each) => [each, diets[each]] as const),
          // Another app may have written it.
          ...(isOther ? [[diet, diet] as const] : []),
        ]}
        onChoose={(value) => save({ diet: value })}
      />
      <fieldset class="allergens">
        <legend>{all.allergens}</legend>
        {(Object.keys(names) as Allergen[])
          .toSorted((one, other) => names[one].localeCompare(names[other]))
          .map((each) => (
            <label key={each}>
              <input
                type="checkbox"
                checked={allergens.includes(each)}
                onChange={({ currentTarget: { checked } }) => {
                  const others = allergens.filter((known) => known !== each);
                  save({ allergens: checked ? [...others, each] : others });
                }}
              />
              {names[each]}
            </label>
          ))}
      </fieldset>
      <Problem text={problem} />
    </Card>
  );
}

interface Choice {
  readonly diet: string;
  readonly allergens: readonly Allergen[];
}

/** The choice, which is shown at once and kept in the order of the taps. */
function useChoice() {
  const made = useSignal<Partial<Choice>>({});
  const waiting = useRef(0);
  const problem = useSignal('');
  // A kept choice, of this device or another one, replaces the tapped one.
  useSignalEffect(() => {
    if (ownSettings.value !== undefined && waiting.current === 0) made.value = {};
  });
  const save = async (change: Partial<Choice>) => {
    made.value = { ...made.peek(), ...change };
    problem.value = '';
    waiting.current++;
    try {
      // Fields that another device may have changed are left out.
      await changeSettings({
        ...(change.diet !== undefined && { diet: change.diet === ANY ? null : change.diet }),
        ...(change.allergens !== undefined && {
          allergens: change.allergens.length === 0 ? null : [...change.allergens],
        }),
      });
    } catch (error) {
      problem.value = problemOf(error);
      made.value = {};
    }
    waiting.current--;
  };
  const { diet = ANY, allergens = [] } = ownSettings.value ?? {};
  return {
    diet,
    allergens,
    ...made.value,
    problem: problem.value,
    save: (change: Partial<Choice>) => void save(change),
  };
}
