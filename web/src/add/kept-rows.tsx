import type { Favourite, Food, SavedMeal } from 'larder-client';
import { amountText } from '../amounts/amount-text.ts';
import { otherName } from '../diary/shown-diary.ts';
import { larder } from '../larder.ts';
import { knownFoods } from '../offline/entries/local-foods.ts';
import { recipeFoodId } from '../offline/entries/recipe-food.ts';
import { favourites, savedMeals } from '../offline/own-records.ts';
import type { Shown } from '../offline/queue/writes.ts';
import { Icon } from '../parts/icon.tsx';
import { withTexts } from '../parts/later.tsx';
import { energyText } from '../parts/measures.ts';
import { problemOf } from '../parts/problem.ts';
import { showSheet } from '../parts/sheet-host.tsx';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
import type { NewFood } from '../today/day-store.ts';
import { finishAdd, meal, target } from './dialog-state.ts';
import { folded, recentAmount } from './recents.ts';
import { energyOfMeal, logMeal } from './saved-meals.ts';

const loadSheet = withTexts(async () => (await import('./saved-meal-sheet.tsx')).SavedMealSheet, 'adding');

interface KeptRowsProps {
  /** What their names have to contain; all without. */
  readonly words: string;
  readonly max: number;
  readonly write: (foods: readonly NewFood[]) => Promise<void>;
  readonly onChoose: (food: Food) => void;
}

/** Favourites and saved meals: one tap adds the usual amount, or the whole meal. */
export function KeptRows({ words, max, write, onChoose }: KeptRowsProps) {
  const { favourites: starred, savedMeals: saved } = texts.value;
  // Chosen foods belong to the signed-in person, for each diary that the person may write.
  const foods = matching(favourites.value, words).slice(0, max);
  const meals = matching(savedMeals.value, words).slice(0, max);
  return (
    <>
      {foods.length > 0 && (
        <section aria-label={starred}>
          <h3>{starred}</h3>
          <ul class="rows">
            {foods.map((each) => (
              <li key={each.id}>
                <FavouriteRow favourite={each} write={write} onChoose={onChoose} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {meals.length > 0 && (
        <section aria-label={saved}>
          <h3>{saved}</h3>
          <ul class="rows">
            {meals.map((each) => (
              <li key={each.id} class="with-menu">
                <MealRow saved={each} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function FavouriteRow({
  favourite,
  write,
  onChoose,
}: Pick<KeptRowsProps, 'write' | 'onChoose'> & { readonly favourite: Shown<Favourite> }) {
  const { name, brand, foodId, recipeId, mealId } = favourite;
  const stated =
    favourite.quantity === undefined ? undefined : { quantity: favourite.quantity, unit: favourite.unit! };
  const amount = recentAmount(foodId ?? recipeId ?? '') ?? stated;
  const saved = savedMeals.value.find(({ id }) => id === mealId);
  const choose = async () => {
    if (saved !== undefined) return logSaved(saved);
    const of = recipeId === undefined ? { foodId: foodId! } : { recipeId };
    if (amount !== undefined) return write([{ ...of, ...amount } as NewFood]);
    try {
      const { food } = await knownFoods(of);
      onChoose(food ?? (await larder.foods.get(foodId ?? recipeFoodId(recipeId!), { maxRetries: 0 })));
    } catch (error) {
      tell(problemOf(error));
    }
  };
  return (
    <button type="button" class="row" onClick={() => void choose()}>
      <span class="entry-name">
        {name}
        {brand !== undefined && (
          <>
            {' '}
            <span class="brand-of">{brand}</span>
          </>
        )}
      </span>
      {amount !== undefined && <span class="entry-quantity">{amountText(amount.quantity, amount.unit)}</span>}
      <span class="amount">
        <Icon name={amount === undefined && saved === undefined ? 'chevronRight' : 'plus'} />
      </span>
    </button>
  );
}

function MealRow({ saved }: { readonly saved: Shown<SavedMeal> }) {
  const { mealMenuOf } = texts.value;
  const energy = energyOfMeal(saved);
  return (
    <>
      <button type="button" class="row" onClick={() => void logSaved(saved)}>
        <span class="entry-name">{saved.name}</span>
        <span class="entry-quantity">{saved.items.map(({ foodName }) => foodName).join(', ')}</span>
        <span class="amount">
          {energy !== undefined && energyText(energy)}
          <Icon name="plus" />
        </span>
      </button>
      {otherName.value === undefined && (
        <button
          type="button"
          class="round"
          aria-label={mealMenuOf(saved.name)}
          aria-haspopup="dialog"
          onClick={() => showSheet(loadSheet, { saved, items: saved.items })}
        >
          <Icon name="more" />
        </button>
      )}
    </>
  );
}

async function logSaved(saved: SavedMeal): Promise<void> {
  const to = target.peek();
  const mealType = meal.peek();
  if (to === undefined || mealType === undefined) return;
  finishAdd();
  await logMeal(to, mealType, saved);
}

function matching<T extends { readonly name: string }>(all: readonly T[], words: string): readonly T[] {
  const wanted = folded(words).split(' ').filter(Boolean);
  return all.filter(({ name }) => {
    const text = ` ${folded(name)}`;
    return wanted.every((word) => text.includes(` ${word}`));
  });
}
