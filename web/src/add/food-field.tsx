import { useSignal, useSignalEffect } from '@preact/signals';
import type { Food } from 'larder-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { setTo } from '../parts/signals.ts';
import '../styles/add.css';
import { amountText } from '../amounts/amount-text.ts';
import { isCounted, measureOf, nutrientsOf, servingsIn } from '../amounts/food-amounts.ts';
import { numberOf } from '../amounts/typed-number.ts';
import { showNutrients } from '../nutrients/open.ts';
import { eatenOf } from '../nutrients/rows.ts';
import { keyOf } from '../offline/entries/recipe-food.ts';
import { Icon } from '../parts/icon.tsx';
import { energyText, energyUnit } from '../parts/measures.ts';
import { problemOf } from '../parts/problem.ts';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
import { totals } from '../today/day-store.ts';
import { foods, mayNotFit, reading } from './found.ts';
import { query } from './query.ts';
import { favouritesOf, toggleFavourite } from './saved-meals.ts';
import { startAmount } from './start-amount.ts';
import { isTicked, isTicking } from './ticked.ts';

interface FoodFieldProps {
  /** `isMore` where the food joins others. */
  readonly onChoose: (food: Food, isMore: boolean) => void;
  /** Adds the usual amount at once. */
  readonly onAdd: (food: Food) => void;
  /** Stands between the field and the found foods. */
  readonly children?: ComponentChildren;
}

/** The one field for everything: a combobox with the found foods, by the pattern of the ARIA authoring practices. */
export function FoodField({ onChoose, onAdd, children }: FoodFieldProps) {
  const { searchLabel, searchHint, results } = texts.value;
  const input = useRef<HTMLInputElement>(null);
  /** Index of the food that the arrow keys reached; -1 for none. */
  const active = useSignal(-1);
  useSignalEffect(() => {
    if (foods.value.length >= 0) active.value = -1;
  });
  // After the dialog has opened, which gives the focus to its first button.
  useEffect(() => input.current?.focus(), []);
  useSignalEffect(() =>
    document.getElementById(`found-${active.value}`)?.scrollIntoView({ block: 'nearest' }),
  );
  const move = (by: number) => {
    const count = foods.value.length;
    if (count > 0) active.value = (active.value + by + (active.value < 0 && by < 0 ? 1 : 0) + count) % count;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter') {
      // Enter would mean the rows that were read of a text, and these are confirmed by their button.
      const food = foods.value[reading.value === undefined ? Math.max(0, active.value) : active.value];
      if (food !== undefined && (event.ctrlKey || event.metaKey)) onAdd(food);
      else if (food !== undefined) onChoose(food, event.shiftKey);
    } else if (event.key === 'Escape' && query.value !== '') query.value = '';
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        ref={input}
        class="food-field"
        type="text"
        role="combobox"
        aria-label={searchLabel}
        aria-expanded={foods.value.length > 0}
        aria-controls="found-foods"
        aria-autocomplete="list"
        aria-activedescendant={active.value < 0 ? undefined : `found-${active.value}`}
        placeholder={searchHint}
        enterKeyHint="search"
        autocomplete="off"
        value={query.value}
        onInput={({ currentTarget: { value } }) => setTo(query, value)}
        onKeyDown={onKeyDown}
      />
      {children}
      <div
        id="found-foods"
        class="rows"
        role="listbox"
        aria-label={results}
        aria-multiselectable={isTicking.value}
      >
        {foods.value.map((food, at) => (
          <FoodOption key={food.id} {...{ food, at, onChoose, onAdd }} isActive={at === active.value} />
        ))}
      </div>
    </>
  );
}

interface FoodOptionProps extends FoodFieldProps {
  readonly food: Food;
  readonly at: number;
  readonly isActive: boolean;
}

function FoodOption({ food, at, isActive, onChoose, onAdd }: FoodOptionProps) {
  const { name, brand } = food;
  const { addUsual, allNutrients, star, unstar } = texts.value;
  const isStarred = favouritesOf(food).length > 0;
  const { amount, energy } = usualOf(food);
  const shownEnergy = energy === undefined ? `? ${energyUnit.value}` : energyText(energy);
  return (
    // Keys are handled by the field, which keeps the focus.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      id={`found-${at}`}
      class="row"
      role="option"
      aria-selected={isTicking.value ? isTicked(keyOf(food)) : isActive}
      data-active={isActive}
      tabIndex={-1}
      onClick={({ shiftKey }) => onChoose(food, shiftKey)}
    >
      <span class="entry-name">
        {name}
        {brand !== undefined && (
          <>
            {' '}
            <span class="brand-of">{brand}</span>
          </>
        )}
        {mayNotFit.value.has(food.id) && <span class="may-not-fit">{texts.value.mayNotFit}</span>}
      </span>
      <span class="entry-quantity">{amount}</span>
      <span class="amount">
        <RowButton title={allNutrients} class="row-energy" onClick={() => showUsual(food)}>
          {shownEnergy}
        </RowButton>
        {isTicking.value ? (
          <Icon name={isTicked(keyOf(food)) ? 'check' : 'plus'} />
        ) : (
          <span class="row-buttons">
            <RowButton
              title={(isStarred ? unstar : star)(name)}
              class={isStarred ? 'row-button starred' : 'row-button'}
              onClick={() => void toggleFavourite(food).catch((error: unknown) => tell(problemOf(error)))}
            >
              <Icon name="star" />
            </RowButton>
            <RowButton title={addUsual(name)} class="row-button add-usual" onClick={() => onAdd(food)}>
              <Icon name="plus" />
            </RowButton>
          </span>
        )}
      </span>
    </div>
  );
}

interface RowButtonProps {
  readonly title: string;
  readonly class: string;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

/** An option has no buttons in it: keys open the food, which has them, and add by Ctrl and Enter. */
function RowButton({ title, class: name, onClick, children }: RowButtonProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <span
      class={name}
      title={title}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      {children}
    </span>
  );
}

/** All nutrients of the amount that one tap adds. */
function showUsual(food: Food): void {
  const { quantity, unit } = startAmount(food);
  const factor = servingsIn(food, numberOf(quantity), unit) ?? 1;
  showNutrients({
    title: food.name,
    eaten: () => [eatenOf(food, factor)],
    goals: () => totals.peek()?.goals,
  });
}

/** The amount that is added by one tap, and its energy: that of the row, unless another one was eaten last. */
function usualOf(food: Food): { amount: string; energy: number | undefined } {
  const { servingSize, macros, unknown } = food;
  const { value, unit, label } = servingSize;
  const start = startAmount(food);
  const quantity = numberOf(start.quantity);
  const measures = [measureOf(food, quantity, start.unit), measureOf(food, value, unit)] as const;
  const isServing = isCounted(food)
    ? quantity === value
    : Math.abs((measures[0] ?? 0) - (measures[1] ?? 0)) < 0.5;
  if (isServing || food.servings === undefined)
    return {
      amount: label ?? amountText(value, unit),
      energy: unknown?.includes('energy') === true ? undefined : macros.energy,
    };
  return { amount: amountText(quantity, start.unit), energy: nutrientsOf(food, quantity, start.unit).energy };
}
