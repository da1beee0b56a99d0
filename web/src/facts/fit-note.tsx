import { setTo } from '../parts/signals.ts';
import '../styles/facts.css';
import { hiddenCount, MAX_FOODS, showsAll } from '../add/found.ts';
import { listOf } from '../days.ts';
import { numbers } from '../texts/texts.ts';
import { namesOf } from './food-warnings.tsx';
import { ownDiet } from './own-diet.ts';
import { factTexts } from './texts/texts.ts';

/** Says that the search leaves foods out, and offers them. */
export function FitNote() {
  const all = factTexts.value;
  const own = ownDiet.value;
  if (own === undefined) return null;
  const what = listOf([
    ...(own.diet === undefined ? [] : [all.diets[own.diet]]),
    ...(own.allergens.length === 0 ? [] : [all.without(namesOf(own.allergens))]),
  ]);
  return (
    <div class="fit-note" role="status">
      <p>
        {(showsAll.value ? all.allShown : all.onlyFitting)(what)}
        {!showsAll.value && hiddenCount.value > 0 && (
          <> {all.hiddenOf(hiddenCount.value, numbers.value.whole(MAX_FOODS))}</>
        )}
      </p>
      <button type="button" class="link" onClick={() => setTo(showsAll, !showsAll.value)}>
        {showsAll.value ? all.showFitting : all.showAll}
      </button>
    </div>
  );
}
