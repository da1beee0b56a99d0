import { useSignal } from '@preact/signals';
import type { Asked, Food, FoodFacts, NutrientDescription } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { larder } from '../larder.ts';
import { problemOf } from '../parts/problem.ts';
import { setTo } from '../parts/signals.ts';

const MAX_KEPT = 20;

const kept = new Map<string, Promise<FoodFacts | undefined>>();
/** Answers by their queries. */
const nutrients = new Map<string, Promise<readonly NutrientDescription[]>>();

/** Only foods of the catalogue have facts. */
function factsOf({ id, source }: Food): Promise<FoodFacts | undefined> {
  if (source !== 'public_dataset') return Promise.resolve(undefined);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
  return keep(kept, id, async () => {
    const asked = { path: { id }, query: { include: 'facts' } } as const;
    return (await larder.ask('GET /v1/foods/{id}', asked)).facts;
  });
}

/** The nutrients that foods have, with references for a person of this age; for both sexes without one. */
export function nutrientsFor(
  query: Asked<'GET /v1/nutrients'>['query'],
): Promise<readonly NutrientDescription[]> {
  return keep(nutrients, JSON.stringify(query), () => larder.list('GET /v1/nutrients', { query }).all());
}

function keep<T>(values: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const value = values.get(key) ?? read();
  values.set(key, value);
  value.catch(() => values.delete(key));
  return value;
}

export interface ReadFacts {
  /** False until it is known whether there are facts. */
  readonly isRead: boolean;
  readonly facts: FoodFacts | undefined;
  /** Why they cannot be read; empty if they can. */
  readonly problem: string;
  readonly retry: () => void;
}

export function useFacts(food: Food): ReadFacts {
  const read = useSignal<{ id: string; facts: FoodFacts | undefined } | undefined>(undefined);
  const problem = useSignal('');
  const ask = () => {
    problem.value = '';
    factsOf(food).then(
      (facts) => setTo(read, { id: food.id, facts }),
      (error: unknown) => setTo(problem, problemOf(error)),
    );
  };
  useEffect(ask, [food.id]);
  const isRead = read.value?.id === food.id;
  return {
    isRead,
    facts: isRead ? read.value!.facts : undefined,
    problem: problem.value,
    retry: ask,
  };
}
