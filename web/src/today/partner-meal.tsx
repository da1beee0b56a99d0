import type { MealType } from 'larder-client';
import { person, viewedPerson } from '../account/session.ts';
import { larder } from '../larder.ts';
import { useDraft } from '../parts/draft.ts';
import { Icon } from '../parts/icon.tsx';
import { problemOf } from '../parts/problem.ts';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
import { day } from './day-store.ts';

const PORTIONS = [
  ['0.25', '¼'],
  ['0.5', '½'],
  ['0.75', '¾'],
  ['1', '1'],
  ['1.5', '1½'],
  ['2', '2'],
] as const;

/** Copies the meal of another person into the own diary: one tap, with the portion that was chosen last. */
export function PartnerMeal({ meal }: { readonly meal: MealType }) {
  const { copyToMine, ownPortion } = texts.value;
  const { values, set } = useDraft('portion', { portion: '1' });
  return (
    <div class="partner-meal">
      <label>
        <span class="visually-hidden">{ownPortion}</span>
        <select value={values.portion} onChange={({ currentTarget: { value } }) => set({ portion: value })}>
          {PORTIONS.map(([value, words]) => (
            <option key={value} value={value}>
              {words} ×
            </option>
          ))}
        </select>
      </label>
      <button type="button" class="add" onClick={() => void copy(meal, Number(values.portion))}>
        <Icon name="plus" />
        {copyToMine}
      </button>
    </div>
  );
}

async function copy(mealType: MealType, portion: number): Promise<void> {
  const { diary } = larder.user(person.peek()!.id);
  const shown = day.peek();
  const from = { userId: viewedPerson.peek()!.id, portion };
  try {
    const copied = await diary.copy({ ...from, from: shown, to: shown, mealType });
    tell(texts.peek().copiedToMine(copied.length), async () => {
      await Promise.all(copied.map(({ id }) => diary.remove(id)));
    });
  } catch (error) {
    tell(problemOf(error));
  }
}
