import type { Signal } from '@preact/signals';
import { setTo } from '../parts/signals.ts';
import { texts } from '../texts/texts.ts';

/** Chooses whether an import keeps the facts of foods, which take most of the disk. */
export function FactsChoice({ keeps }: { readonly keeps: Signal<boolean> }) {
  const { keepFacts, keepFactsText } = texts.value.shopFoods;
  return (
    <div>
      <label class="check">
        <input
          type="checkbox"
          checked={keeps.value}
          onChange={({ currentTarget }) => setTo(keeps, currentTarget.checked)}
        />
        {keepFacts}
      </label>
      <p class="quiet note">{keepFactsText}</p>
    </div>
  );
}

/** The part of an import's request that leaves facts out; without it they are kept. */
export function factsOf(keeps: boolean) {
  return keeps ? {} : { facts: 'none' as const };
}
