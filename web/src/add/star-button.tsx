import type { Food } from 'larder-client';
import { Icon } from '../parts/icon.tsx';
import { problemOf } from '../parts/problem.ts';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
import { favouritesOf, toggleFavourite } from './saved-meals.ts';

/** Makes a food a favourite, which the dialog that adds offers first. */
export function StarButton({ food }: { readonly food: Food }) {
  const { star, unstar } = texts.value;
  const is = favouritesOf(food).length > 0;
  return (
    <button
      type="button"
      class="round star"
      aria-pressed={is}
      aria-label={(is ? unstar : star)(food.name)}
      onClick={() => void toggleFavourite(food).catch((error: unknown) => tell(problemOf(error)))}
    >
      <Icon name="star" />
    </button>
  );
}
