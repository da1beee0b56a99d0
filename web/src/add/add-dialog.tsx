import { signal, useSignalEffect } from '@preact/signals';
import type { EatenFood, Food, MealType } from 'larder-client';
import { useRef } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { problemOf } from '../parts/problem.ts';
import { numbers, texts } from '../texts/texts.ts';
import { add, type NewFood } from '../today/day-store.ts';
import { AmountForm } from './amount-form.tsx';
import { FoodField } from './food-field.tsx';
import { answered, foods, loadRecents, problem, query, reading, recents } from './found.ts';
import { ReadRows } from './read-rows.tsx';

/** The meal that is added to; undefined while the dialog is closed. */
const meal = signal<MealType | undefined>(undefined);
const chosen = signal<Food | undefined>(undefined);

export function openAdd(to: MealType): void {
  chosen.value = undefined;
  meal.value = to;
  void loadRecents();
}

function closeAdd(): void {
  meal.value = undefined;
}

/** Writes what was chosen, and closes; what was typed stays if that fails. */
async function write(entries: readonly NewFood[]): Promise<void> {
  const mealType = meal.peek();
  if (mealType === undefined) return;
  try {
    await add(mealType, entries);
    query.value = '';
    closeAdd();
  } catch (error) {
    problem.value = problemOf(error);
  }
}

export function AddDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useSignalEffect(() => {
    if (meal.value !== undefined && dialog.current?.open === false) dialog.current.showModal();
    if (meal.value === undefined) dialog.current?.close();
  });
  const { addTo, close, back } = texts.value;
  return (
    <dialog
      ref={dialog}
      class="add-dialog"
      aria-labelledby="add-title"
      // The event comes later: the dialog may be open again, for another meal.
      onClose={() => dialog.current?.open === false && closeAdd()}
    >
      <header>
        {chosen.value !== undefined && (
          <button
            type="button"
            class="round"
            aria-label={back}
            onClick={() => {
              chosen.value = undefined;
            }}
          >
            <Icon name="arrowLeft" />
          </button>
        )}
        <h2 id="add-title">{meal.value !== undefined && addTo[meal.value]}</h2>
        <button type="button" class="round" aria-label={close} onClick={closeAdd}>
          <Icon name="x" />
        </button>
      </header>
      {meal.value !== undefined &&
        (chosen.value === undefined ? <Find /> : <AmountForm food={chosen.value} write={write} />)}
    </dialog>
  );
}

function Find() {
  const { noFoods } = texts.value;
  const hasNone = answered.value !== '' && foods.value.length === 0 && reading.value === undefined;
  return (
    <>
      <FoodField
        onChoose={(food) => {
          chosen.value = food;
        }}
      >
        {problem.value !== undefined && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        {reading.value !== undefined && <ReadRows key={answered.value} read={reading.value} write={write} />}
      </FoodField>
      {hasNone && <p class="empty">{noFoods(answered.value)}</p>}
      {query.value.trim() === '' && <Recents />}
      {hasNone && <QuickAdd name={answered.value} />}
    </>
  );
}

/** One tap writes the last amount again. */
function Recents() {
  const { recents: title } = texts.value;
  const { whole, precise } = numbers.value;
  if (recents.value.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul class="rows">
        {recents.value.map((food) => (
          <li key={`${food.foodId ?? food.recipeId ?? food.foodName} ${food.unit}`}>
            <button type="button" class="row" onClick={() => void write([again(food)])}>
              <span class="entry-name">{food.foodName}</span>
              {food.quantity !== undefined && (
                <span class="entry-quantity">
                  {precise(food.quantity)} {food.unit}
                </span>
              )}
              <span class="amount">{whole(food.calories)} kcal</span>
              <Icon name="plus" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function again(eaten: EatenFood): NewFood {
  const { foodId, recipeId, quantity, unit } = eaten;
  if (quantity !== undefined && unit !== undefined) {
    if (foodId !== undefined) return { foodId, quantity, unit };
    if (recipeId !== undefined) return { recipeId, quantity, unit };
  }
  const { foodName, calories, protein, carbs, fat, fiber, sodium, nutrients } = eaten;
  return { foodName, calories, protein, carbs, fat, fiber, sodium, nutrients, quantity, unit };
}

/** Energy alone is an entry, for what no food stands for. */
function QuickAdd({ name }: { readonly name: string }) {
  const { quickAdd, quickName, energy, add: button } = texts.value;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    void write([{ foodName: String(fields.get('name')), calories: Number(fields.get('calories')) }]);
  };
  return (
    <form class="quick" aria-label={quickAdd} onSubmit={submit}>
      <h3>{quickAdd}</h3>
      <label>
        {quickName}
        <input name="name" required maxLength={200} defaultValue={name} />
      </label>
      <label>
        {energy}
        <span class="with-unit">
          <input name="calories" type="number" inputMode="decimal" min="0" step="any" required />
          kcal
        </span>
      </label>
      <button type="submit" class="primary">
        {button}
      </button>
    </form>
  );
}
