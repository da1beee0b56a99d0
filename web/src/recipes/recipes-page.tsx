import { signal, useSignalEffect } from '@preact/signals';
import type { Recipe } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import '../styles/lists.css';
import '../styles/recipes.css';
import { person, viewedPerson } from '../account/session.ts';
import { pathTo } from '../larder.ts';
import { changeCount } from '../offline/device.ts';
import type { Shown } from '../offline/queue/writes.ts';
import { WaitingMark } from '../offline/waiting-mark.tsx';
import { focusView } from '../parts/focus.ts';
import { Icon } from '../parts/icon.tsx';
import { energyText } from '../parts/measures.ts';
import { numbers, texts } from '../texts/texts.ts';
import { loadRecipes, problem, recipes } from './book.ts';
import { RecipeEditor } from './recipe-editor.tsx';
import { RecipeView } from './recipe-view.tsx';

const PATH = pathTo('app/recipes');

// The view is created again for each address; these values stay.
/** The recipe that was just written or is being deleted: the list may not have it. */
const changing = signal<string | undefined>(undefined);
/** The address within the recipes that was shown last, and whether the list was read then. */
let shown: { readonly address: string; readonly wasRead: boolean } | undefined;

/** Recipes: the list, or the one in the address (`?recipe=`), to cook by, log or change (`&edit`). */
export function RecipesPage() {
  const { query, route } = useLocation();
  useSignalEffect(() => {
    const viewed = viewedPerson.value;
    if (viewed === undefined) return;
    // The own ones follow what this device knows.
    if (viewed.id !== person.value?.id || changeCount.value >= 0) void loadRecipes();
  });
  const id = query['recipe'];
  const recipe = recipes.value?.find((each) => each.id === id);
  useFocusOnChange(`${id} ${'edit' in query}`, recipe !== undefined, recipes.value !== undefined);
  const toList = () => route(PATH);
  const toRecipe = ({ id: written }: Recipe) => {
    changing.value = written;
    route(`${PATH}?recipe=${written}`);
  };
  if (id === 'new') return <RecipeEditor onDone={toRecipe} onLeave={toList} />;
  if (recipe === undefined) return <RecipeList isMissing={id !== undefined && id !== changing.value} />;
  if ('edit' in query)
    return <RecipeEditor key={id} recipe={recipe} onDone={toRecipe} onLeave={() => toRecipe(recipe)} />;
  return (
    <RecipeView
      key={id}
      recipe={recipe}
      editPath={`${PATH}?recipe=${id}&edit`}
      onLeave={toList}
      onRemoving={(is) => setTo(changing, is ? id : undefined)}
    />
  );
}

/** Gives the focus to the heading of another view, where it went with the view before. A list that arrives takes none. */
function useFocusOnChange(address: string, isFound: boolean, isRead: boolean): void {
  useEffect(() => {
    if (shown !== undefined && (shown.wasRead || shown.address !== address)) focusView();
    shown = { address, wasRead: isRead };
  }, [address, isFound, isRead]);
}

interface RecipeListProps {
  /** Whether the address names a recipe that is not in the list. */
  readonly isMissing: boolean;
}

function RecipeList({ isMissing }: RecipeListProps) {
  const { recipes: title, recipesPage: all } = texts.value;
  const isOwn = viewedPerson.value?.id === person.value?.id;
  return (
    <>
      <div class="title-bar">
        <h1>{title}</h1>
        {isOwn && (
          <a class="button primary with-icon" href={`${PATH}?recipe=new`}>
            <Icon name="plus" />
            {all.newRecipe}
          </a>
        )}
      </div>
      <Problem text={problem.value} onRetry={loadRecipes} />
      {isMissing && recipes.value !== undefined && <Problem text={all.noSuchRecipe} />}
      {recipes.value === undefined && problem.value === '' && <p class="loading" aria-busy="true" />}
      {recipes.value?.length === 0 && (
        <div class="nothing">
          <h2>{all.emptyTitle}</h2>
          <p>{all.emptyText}</p>
        </div>
      )}
      {recipes.value !== undefined && recipes.value.length > 0 && (
        <ul class="list" aria-label={title}>
          {recipes.value.map((recipe) => (
            <li key={recipe.id}>
              <RecipeRow recipe={recipe} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function RecipeRow({ recipe }: { readonly recipe: Shown<Recipe> }) {
  const { recipesPage: all, atLeast } = texts.value;
  const { precise } = numbers.value;
  const { calories, unknown } = recipe.perServing;
  return (
    <a class="list-row" href={`${PATH}?recipe=${recipe.id}`}>
      <span class="entry-name">{recipe.name}</span>
      <span class="entry-quantity">
        {all.servingsCount(recipe.servings, precise(recipe.servings))} ·{' '}
        {all.ingredientsCount(recipe.ingredients.length)}
      </span>
      <WaitingMark waiting={recipe.waiting} />
      {calories !== undefined && (
        <span class="amount">
          {unknown?.includes('calories') && <span class="quiet">{atLeast} </span>}
          <bdi>{energyText(calories)}</bdi> <span class="quiet">{all.perServing}</span>
        </span>
      )}
    </a>
  );
}
