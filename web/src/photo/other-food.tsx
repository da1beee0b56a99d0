import { useSignal, useSignalEffect } from '@preact/signals';
import type { Food } from 'larder-client';
import { target } from '../add/dialog-state.ts';
import { larder } from '../larder.ts';
import { Problem } from '../parts/problem-line.tsx';
import { texts } from '../texts/texts.ts';

const MAX_FOODS = 6;
const MIN_LENGTH = 2;
const TYPING_MS = 250;

/** Finds the food that is on a photo, where none of those that it was taken for is right. */
export function OtherFood({ onChoose }: { readonly onChoose: (food: Food) => void }) {
  const { searchFood, results } = texts.value;
  const text = useSignal('');
  const found = useSignal<readonly Food[]>([]);
  const problem = useSignal('');
  useSignalEffect(() => {
    const q = text.value.trim();
    const asking = new AbortController();
    const timer = setTimeout(async () => {
      try {
        found.value =
          q.length < MIN_LENGTH
            ? []
            : await larder.foods.search(
                { q, limit: MAX_FOODS, userId: target.peek()!.userId, include: 'servings' },
                { signal: asking.signal },
              );
        problem.value = '';
      } catch (error) {
        if (!asking.signal.aborted) problem.value = target.peek()!.problemOf(error);
      }
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  });
  return (
    <div>
      <input
        type="search"
        aria-label={searchFood}
        placeholder={searchFood}
        autocomplete="off"
        onInput={(event) => {
          // What is typed here changes no amount.
          event.stopPropagation();
          text.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <ul aria-label={results}>
        {found.value.map((food) => (
          <li key={food.id}>
            <button type="button" onClick={() => onChoose(food)}>
              {food.name}
              {food.brand !== undefined && ` (${food.brand})`}
            </button>
          </li>
        ))}
      </ul>
      <Problem text={problem.value} />
    </div>
  );
}
