import { useSignal } from '@preact/signals';
import type { Ingredient, Recipe } from 'larder-client';
import { person } from '../account/session.ts';
import { amountText } from '../amounts/amount-text.ts';
import { showNutrients } from '../nutrients/open.ts';
import type { Eaten } from '../nutrients/rows.ts';
import { isRead } from '../offline/queue/addition-again.ts';
import type { Shown } from '../offline/queue/writes.ts';
import { WaitingMark } from '../offline/waiting-mark.tsx';
import { AmountsTable } from '../parts/amounts-table.tsx';
import { Icon } from '../parts/icon.tsx';
import { energyText } from '../parts/measures.ts';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { numbers, texts } from '../texts/texts.ts';
import { totals } from '../today/day-store.ts';
import { copyRecipe, removeRecipe } from './book.ts';
import { LogForm } from './log-form.tsx';

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
