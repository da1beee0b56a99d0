import { signal } from '@preact/signals';
import type { DiaryEntry, MealType } from 'larder-client';
import { setTo } from '../parts/signals.ts';
import '../styles/other-day.css';
import { ownDiary } from '../diary/shown-diary.ts';
import { Icon } from '../parts/icon.tsx';
import { numbers, texts } from '../texts/texts.ts';
import { add, attempt } from './day-store.ts';
import { portionOf } from './portion.ts';

const PORTIONS = [0.25, 0.5, 0.75, 1, 1.5, 2] as const;

/** How much of what somebody else has eaten is copied. */
const portion = signal(1);

export function PortionField() {
  const { precise } = numbers.value;
  return (
    <label class="portion">
      {texts.value.otherDay.portion}
      <select
        value={String(portion.value)}
        onChange={({ currentTarget: { value } }) => setTo(portion, Number(value))}
      >
        {PORTIONS.map((each) => (
          <option key={each} value={String(each)}>
            {`${precise(each)} ×`}
          </option>
        ))}
      </select>
    </label>
  );
}

interface CopyProps {
  readonly meal: MealType;
  readonly entries: readonly DiaryEntry[];
}

/** Copies a meal of somebody else's diary into the own one. */
export function CopyMealButton({ meal, entries }: CopyProps) {
  return (
    <button type="button" class="add" onClick={() => copy(meal, entries)}>
      <Icon name="copy" />
      {texts.value.otherDay.copyMeal[meal]}
    </button>
  );
}

export function CopyFoodButton({ entry }: { readonly entry: DiaryEntry }) {
  return (
    <button
      type="button"
      class="round"
      aria-label={texts.value.otherDay.copyFood(entry.foodName)}
      onClick={() => copy(entry.mealType, [entry])}
    >
      <Icon name="copy" />
    </button>
  );
}

function copy(meal: MealType, entries: readonly DiaryEntry[]): void {
  const to = ownDiary();
  const foods = entries.map((entry) => portionOf(entry, portion.peek()));
  void attempt(to, () => add(to, meal, foods));
}
