import { useSignal, useSignalEffect } from '@preact/signals';
import type { Food } from 'larder-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import '../styles/add.css';
import { Icon } from '../parts/icon.tsx';
import { energyText, energyUnit } from '../parts/measures.ts';
import { texts } from '../texts/texts.ts';
import { foods, query, reading } from './found.ts';
import { isTicked, isTicking } from './ticked.ts';

interface FoodFieldProps {
  /** `isMore` where the food joins others. */
  readonly onChoose: (food: Food, isMore: boolean) => void;
  /** Stands between the field and the found foods. */
  readonly children?: ComponentChildren;
}

/** The one field for everything: a combobox with the found foods, by the pattern of the ARIA authoring practices. */
export function FoodField({ onChoose, children }: FoodFieldProps) {
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
      if (food !== undefined) onChoose(food, event.shiftKey);
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
        onInput={({ currentTarget: { value } }) => {
          query.value = value;
        }}
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
          <FoodOption key={food.id} food={food} at={at} isActive={at === active.value} onChoose={onChoose} />
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

function FoodOption({ food, at, isActive, onChoose }: FoodOptionProps) {
  const { name, brand, servingSize, macros, unknown } = food;
  const energy = unknown?.includes('energy') === true ? `? ${energyUnit.value}` : energyText(macros.energy);
  return (
    // Keys are handled by the field, which keeps the focus.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      id={`found-${at}`}
      class="row"
      role="option"
      aria-selected={isTicking.value ? isTicked(food.id) : isActive}
      data-active={isActive}
      tabIndex={-1}
      onClick={({ shiftKey }) => onChoose(food, shiftKey)}
    >
      <span class="entry-name">
        {name}
        {brand !== undefined && <span class="brand-of"> {brand}</span>}
      </span>
      <span class="entry-quantity">{servingSize.label ?? `${servingSize.value} ${servingSize.unit}`}</span>
      <span class="amount">
        {energy}
        {isTicking.value && <Icon name={isTicked(food.id) ? 'check' : 'plus'} />}
      </span>
    </div>
  );
}
