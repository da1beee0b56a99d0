import type { Allergen, Food } from 'larder-client';
import '../styles/facts.css';
import { listOf } from '../days.ts';
import { Problem } from '../parts/problem-line.tsx';
import { ownDiet } from './own-diet.ts';
import { useFacts } from './read-facts.ts';
import { factTexts } from './texts/texts.ts';
import { warningsOf } from './warnings.ts';

/** Warns of a food by the diet and allergens of the person. It never says that a food is safe. */
export function FoodWarnings({ food }: { readonly food: Food }) {
  const { isRead, facts, problem, retry } = useFacts(food);
  const own = ownDiet.value;
  if (own === undefined) return null;
  if (problem !== '') return <Problem text={problem} onRetry={retry} />;
  if (!isRead) return <p class="loading" aria-busy="true" />;
  const all = factTexts.value;
  const { states, traces, otherWords, isUnstated, diet } = warningsOf(
    facts,
    own,
    (word) => word in all.allergens,
  );
  const none = own.allergens.filter((each) => !states.includes(each) && !traces.includes(each));
  return (
    <div class="warnings" role="status">
      {states.length > 0 && <p class="warning">{all.states(namesOf(states))}</p>}
      {traces.length > 0 && <p class="warning">{all.mayContain(namesOf(traces))}</p>}
      {otherWords.length > 0 && <p class="warning">{all.otherWords(listOf(otherWords))}</p>}
      {diet !== undefined && (
        <p class={diet === 'unknown' ? 'doubt' : 'warning'}>{all.notOfDiet[diet](all.diets[own.diet!])}</p>
      )}
      {own.allergens.length > 0 && isUnstated && <p class="doubt">{all.allergensNotStated}</p>}
      {none.length > 0 && !isUnstated && <p class="quiet note">{all.statesNone(namesOf(none))}</p>}
    </div>
  );
}

export function namesOf(allergens: readonly Allergen[]): string {
  return listOf(allergens.map((each) => factTexts.value.allergens[each]));
}
