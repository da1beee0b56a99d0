import { useSignal, useSignalEffect } from '@preact/signals';
import type { Food } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { setTo } from '../parts/signals.ts';
import '../styles/lists.css';
import { person } from '../account/session.ts';
import { StarButton } from '../add/star-button.tsx';
import { amountText } from '../amounts/amount-text.ts';
import { showNutrients } from '../nutrients/open.ts';
import { eatenOf } from '../nutrients/rows.ts';
import { changeCount } from '../offline/device.ts';
import { MAX_LISTED } from '../offline/own-lists.ts';
import type { Shown } from '../offline/queue/writes.ts';
import { WaitingMark } from '../offline/waiting-mark.tsx';
import { Icon } from '../parts/icon.tsx';
import { energyText } from '../parts/measures.ts';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { texts } from '../texts/texts.ts';
import { totals } from '../today/day-store.ts';
import { FoodForm } from './food-form.tsx';
import { loadFoods, ownFoods, problem, removeFood } from './own-foods.ts';
import { ShopFoods } from './shop-foods.tsx';

/** Own foods: to find, enter, change and delete. */
export function FoodsPage() {
  const query = useSignal('');
  /** The food in the form; null for a new one. */
  const opened = useSignal<Shown<Food> | null | undefined>(undefined);
  useSignalEffect(() => {
    if (person.value && changeCount.value >= 0) void loadFoods();
  });
  const { foods: title, foodsPage: all, foodForm } = texts.value;
  const foods = ownFoods.value;
  /** The food that the address names, to be changed. */
  const asked = useLocation().query['food'];
  useEffect(() => {
    const found = asked === undefined ? undefined : foods?.find(({ id }) => id === asked);
    if (found !== undefined) opened.value = found;
  }, [asked, foods === undefined]);
  const found = foods?.filter((food) => matches(food, query.value));
  const close = () => setTo(opened, undefined);
  return (
    <>
      <div class="title-bar">
        <h1>{title}</h1>
        <button type="button" class="primary with-icon" onClick={() => setTo(opened, null)}>
          <Icon name="plus" />
          {foodForm.newFood}
        </button>
      </div>
      <Problem text={problem.value} onRetry={loadFoods} />
      {foods === undefined && problem.value === '' && <p class="loading" aria-busy="true" />}
      {foods !== undefined && foods.length > 0 && (
        <input
          type="search"
          class="filter"
          aria-label={all.search}
          placeholder={all.search}
          value={query.value}
          onInput={({ currentTarget: { value } }) => setTo(query, value)}
        />
      )}
      {foods?.length === 0 && <Empty />}
      {person.value?.role === 'owner' && <ShopFoods />}
      {found !== undefined && found.length === 0 && query.value !== '' && (
        <p class="nothing">{all.noneFound(query.value)}</p>
      )}
      {found !== undefined && found.length > 0 && (
        <ul class="list" aria-label={title}>
          {found.slice(0, MAX_LISTED).map((food) => (
            <FoodRow key={food.id} food={food} onOpen={() => setTo(opened, food)} />
          ))}
        </ul>
      )}
      {found !== undefined && found.length >= MAX_LISTED && <p class="quiet note">{all.more(MAX_LISTED)}</p>}
      {opened.value !== undefined && (
        <Sheet title={opened.value === null ? foodForm.newFood : opened.value.name} onClose={close}>
          {opened.value !== null && <Nutrients food={opened.value} />}
          <FoodForm {...(opened.value !== null && { food: opened.value })} onSaved={close} />
          {opened.value !== null && <Removal food={opened.value} onDone={close} />}
        </Sheet>
      )}
    </>
  );
}

function Empty() {
  const { foodsPage: all } = texts.value;
  return (
    <div class="nothing">
      <h2>{all.emptyTitle}</h2>
      <p>{all.emptyText}</p>
    </div>
  );
}

function FoodRow({ food, onOpen }: { readonly food: Shown<Food>; readonly onOpen: () => void }) {
  const { foodsPage: all } = texts.value;
  const { value, unit, label } = food.servingSize;
  const serving = label ?? amountText(value, unit);
  return (
    <li class="with-star">
      <button type="button" class="list-row" onClick={onOpen}>
        <span class="entry-name">
          {food.name}
          {food.brand !== undefined && (
            <>
              {' '}
              <span class="brand-of">{food.brand}</span>
            </>
          )}
        </span>
        <span class="entry-quantity">
          {serving}
          {food.shared === false && ` · ${all.onlyMine}`}
          {food.barcode !== undefined && ` · ${food.barcode}`}
        </span>
        <WaitingMark waiting={food.waiting} />
        <span class="amount">{energyText(food.macros.energy)}</span>
      </button>
      <StarButton food={food} />
    </li>
  );
}

function Nutrients({ food }: { readonly food: Food }) {
  return (
    <button
      type="button"
      class="link"
      aria-haspopup="dialog"
      onClick={() =>
        showNutrients({
          title: food.name,
          eaten: () => [eatenOf(food, 1)],
          goals: () => totals.peek()?.goals,
        })
      }
    >
      {texts.value.allNutrients}
    </button>
  );
}

/** The button that deletes; a refusal stays on the screen. */
function Removal({ food, onDone }: { readonly food: Shown<Food>; readonly onDone: () => void }) {
  const refusal = useSignal('');
  const remove = async () => {
    try {
      await removeFood(food);
      onDone();
    } catch (error) {
      refusal.value = problemOf(error);
    }
  };
  return (
    <div>
      <Problem text={refusal.value} />
      <button type="button" class="danger" onClick={() => void remove()}>
        <Icon name="trash" />
        {texts.value.delete}
      </button>
    </div>
  );
}

function matches({ name, brand = '', barcode = '', aliases = [] }: Food, query: string): boolean {
  const text = folded([name, brand, barcode, ...aliases].join(' '));
  return folded(query)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Without case and accents. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
