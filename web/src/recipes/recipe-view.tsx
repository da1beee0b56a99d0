import { useSignal } from '@preact/signals';
import type { Ingredient, MealType, Recipe } from 'larder-client';
import { person } from '../account/session.ts';
import { amountText, unitName } from '../amounts/amount-text.ts';
import { type StatedAmount, useLargeAmounts } from '../amounts/large-amounts.tsx';
import { numberOf, typedNumber } from '../amounts/typed-number.ts';
import { today } from '../days.ts';
import { ownDiary } from '../diary/shown-diary.ts';
import { showNutrients } from '../nutrients/open.ts';
import type { Eaten } from '../nutrients/rows.ts';
import { amountOf, asFood } from '../offline/entries/recipe-food.ts';
import { isRead } from '../offline/queue/addition-again.ts';
import type { Shown } from '../offline/queue/writes.ts';
import { WaitingMark } from '../offline/waiting-mark.tsx';
import { AmountsTable } from '../parts/amounts-table.tsx';
import { BusyButton } from '../parts/busy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { energyText, energyUnit } from '../parts/measures.ts';
import { NumberField } from '../parts/number-field.tsx';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { numbers, texts } from '../texts/texts.ts';
import { add, day, type NewFood, totals } from '../today/day-store.ts';
import { copyRecipe, removeRecipe } from './book.ts';
import { changedPortion } from './tweak.ts';

interface RecipeViewProps {
  readonly recipe: Shown<Recipe>;
  readonly editPath: string;
  readonly onLeave: () => void;
  /** Whether the recipe is being deleted: the list may lack it before the view is left. */
  readonly onRemoving: (is: boolean) => void;
}

/** One recipe: its ingredients, what a serving has, and the way into the diary. */
export function RecipeView({ recipe, editPath, onLeave, onRemoving }: RecipeViewProps) {
  const { recipesPage: all, recipes: list, delete: remove, edit } = texts.value;
  const { precise } = numbers.value;
  const problem = useSignal('');
  const isOwn = recipe.userId === person.value?.id;
  const onCopy = () => copyRecipe(recipe).catch((error) => setTo(problem, problemOf(error)));
  const onRemove = async () => {
    onRemoving(true);
    try {
      await removeRecipe(recipe);
      onLeave();
    } catch (error) {
      onRemoving(false);
      problem.value = problemOf(error);
    }
  };
  return (
    <article class="recipe" aria-labelledby="recipe-name">
      <div class="title-bar">
        <div>
          <button type="button" class="link back" onClick={onLeave}>
            <Icon name="arrowLeft" />
            {list}
          </button>
          <h1 id="recipe-name">{recipe.name}</h1>
          <p class="quiet">
            {all.servingsCount(recipe.servings, precise(recipe.servings))}
            {recipe.yieldGrams !== undefined && ` · ${all.cooked(precise(recipe.yieldGrams))}`}{' '}
            <WaitingMark waiting={recipe.waiting} />
          </p>
        </div>
        <div class="buttons">
          {isOwn ? (
            <>
              <a class="button" href={editPath}>
                {edit}
              </a>
              <button type="button" class="danger" onClick={() => void onRemove()}>
                <Icon name="trash" />
                {remove}
              </button>
            </>
          ) : (
            <button type="button" class="primary" onClick={() => void onCopy()}>
              {all.copyToMine}
            </button>
          )}
        </div>
      </div>
      <Problem text={problem.value} />
      <div class="cards">
        {isOwn && <LogForm key={recipe.ingredients.length} recipe={recipe} />}
        <section class="card" aria-label={all.ingredients}>
          <h2>{all.ingredients}</h2>
          <ul class="ingredients">
            {recipe.ingredients.map((ingredient, at) => (
              <IngredientRow key={`${at} ${ingredient.name}`} ingredient={ingredient} />
            ))}
          </ul>
        </section>
        <section class="card" aria-label={all.inServing}>
          <AmountsTable amounts={recipe.perServing} caption={all.inServing} />
          <button
            type="button"
            class="link"
            aria-haspopup="dialog"
            onClick={() =>
              showNutrients({
                title: `${recipe.name}, ${all.inServing}`,
                eaten: () => inServing(recipe),
                goals: () => totals.peek()?.goals,
              })
            }
          >
            {texts.value.allNutrients}
          </button>
        </section>
      </div>
    </article>
  );
}

/** The share of each ingredient in a serving. Nutrients that the ingredient does not state are unknown. */
function inServing({ ingredients, servings }: Recipe): Eaten[] {
  const share = (amounts: object = {}) =>
    Object.fromEntries(Object.entries(amounts).map(([key, value]) => [key, (value as number) / servings]));
  return ingredients.map(({ name, nutrients, ...ingredient }) => {
    const { calories, protein, carbs, fat, fiber, sodium } = ingredient;
    const stated = Object.entries({ calories, protein, carbs, fat, fiber, sodium });
    const known = Object.fromEntries(stated.filter(([, value]) => value !== undefined));
    return { foodName: name, ...share(known), nutrients: share(nutrients) };
  });
}

function IngredientRow({ ingredient }: { readonly ingredient: Ingredient }) {
  const { name, quantity, unit, text, calories } = ingredient;
  const { offline } = texts.value;
  const amount = quantity === undefined ? '' : `${amountText(quantity, unit)} `;
  return (
    <li>
      <span class="entry-name">{text ?? `${amount}${name}`}</span>
      <span class="entry-quantity">
        {!isRead(ingredient) && offline.lineUnread}
        {isRead(ingredient) && text !== undefined && `${amount}${name}`}
      </span>
      {calories !== undefined && <span class="amount">{energyText(calories)}</span>}
    </li>
  );
}

const MEALS: readonly MealType[] = ['breakfast', 'lunch', 'dinner', 'snacks'];
/** Hours at which the meal that is offered changes: lunch, snacks, dinner. */
const MEAL_HOURS = [
  [10, 'breakfast'],
  [15, 'lunch'],
  [17, 'snacks'],
  [24, 'dinner'],
] as const;

/** Logs a portion of a recipe, with other amounts of its ingredients where they differ this once. */
function LogForm({ recipe }: { readonly recipe: Recipe }) {
  const { recipesPage: all, amount, unit, meals, add: button, chooseDay } = texts.value;
  const quantity = useSignal('1');
  const chosen = useSignal<'serving' | 'g'>('serving');
  const meal = useSignal<MealType>(mealNow());
  const date = useSignal(today());
  const shares = useSignal<readonly number[]>(recipe.ingredients.map(() => 1));
  /** Amounts of ingredients as they were typed. */
  const typed = useSignal<Readonly<Record<number, string>>>({});
  const problem = useSignal('');
  const isWriting = useSignal(false);
  const whole = chosen.value === 'g' ? (recipe.yieldGrams ?? 0) : recipe.servings;
  const portion = numberOf(quantity.value) / whole;
  const isUnread = !recipe.ingredients.every(isRead);
  const isChanged = shares.value.some((share) => share !== 1);
  const changed = changedPortion(recipe, shares.value, portion, all.changedName(recipe.name));
  const large = useLargeAmounts(async ([stated]: readonly StatedAmount[]) => {
    isWriting.value = true;
    const { quantity: count, unit: of } = stated!;
    const entry: NewFood = isChanged
      ? { ...changed, quantity: count, unit: of }
      : amountOf(asFood(recipe), count, of);
    try {
      day.value = date.value;
      await add(ownDiary(), meal.value, [entry]);
      problem.value = '';
      shares.value = recipe.ingredients.map(() => 1);
      typed.value = {};
    } catch (error) {
      problem.value = problemOf(error);
    }
    isWriting.value = false;
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // Changed amounts belong to the portion that is shown, which has no other unit then.
    const stated = { quantity: numberOf(quantity.value), unit: chosen.value };
    const { calories: energy } = changed as { calories: number };
    void large.submit([isChanged ? { ...stated, energy } : { ...stated, food: asFood(recipe) }]);
  };
  return (
    <form class="card form" aria-label={all.log} onSubmit={submit} onInput={large.forget}>
      <h2>{all.log}</h2>
      <div class="fields">
        <NumberField
          label={amount}
          value={quantity.value}
          onInput={(text) => setTo(quantity, text)}
          isRequired
          isPositive
        />
        <label>
          {unit}
          <select
            value={chosen.value}
            onChange={({ currentTarget: { value } }) => {
              chosen.value = value as 'serving' | 'g';
              quantity.value =
                value === 'g' ? typedNumber(Math.round((recipe.yieldGrams ?? 0) / recipe.servings)) : '1';
            }}
          >
            <option value="serving">{unitName('serving')}</option>
            {recipe.yieldGrams !== undefined && <option value="g">g</option>}
          </select>
        </label>
        <label>
          {all.meal}
          <select
            value={meal.value}
            onChange={({ currentTarget: { value } }) => setTo(meal, value as MealType)}
          >
            {MEALS.map((each) => (
              <option key={each} value={each}>
                {meals[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {chooseDay}
          <input
            type="date"
            required
            value={date.value}
            onChange={({ currentTarget: { value } }) => setTo(date, value === '' ? today() : value)}
          />
        </label>
      </div>
      {!isUnread && (
        <details>
          <summary>{all.tweak}</summary>
          <p class="quiet note">{all.tweakText}</p>
          <div class="fields">
            {recipe.ingredients.map(({ name, quantity: usual = 1, unit: of }, at) => (
              <NumberField
                key={`${at} ${name}`}
                label={name}
                unit={of ?? '×'}
                value={typed.value[at] ?? typedNumber(usual * shares.value[at]!)}
                onInput={(text) => {
                  typed.value = { ...typed.value, [at]: text };
                  shares.value = shares.value.with(at, numberOf(text) / usual);
                }}
              />
            ))}
          </div>
        </details>
      )}
      <p class="preview" aria-live="polite">
        {portion > 0 &&
          (isUnread ? `? ${energyUnit.value}` : energyText((changed as { calories: number }).calories))}
        {isChanged && <span class="quiet note"> {all.changedOnce}</span>}
      </p>
      {large.question}
      <Problem text={problem.value} />
      <BusyButton type="submit" class="primary" isBusy={isWriting.value}>
        {button}
      </BusyButton>
    </form>
  );
}

function mealNow(): MealType {
  const hour = new Date().getHours();
  return MEAL_HOURS.find(([until]) => hour < until)?.[1] ?? 'dinner';
}
