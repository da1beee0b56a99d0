import { useSignal } from '@preact/signals';
import type { Food, ParsedText, TextItem } from 'larder-client';
import { energyText } from '../parts/measures.ts';
import { numbers, texts } from '../texts/texts.ts';
import type { NewFood } from '../today/day-store.ts';

/** A food below this is a proposal, as in the totals of the service. */
const PROPOSAL = 0.3;
const UNSURE = 0.6;

interface ReadRowsProps {
  readonly read: ParsedText;
  readonly write: (foods: readonly NewFood[]) => Promise<void>;
}

/** What a text was read as, to confirm: foods can be left out or exchanged, and what was not understood is said. */
export function ReadRows({ read, write }: ReadRowsProps) {
  const { understood, notUnderstood, addAll } = texts.value;
  const known = read.items.filter((item): item is TextItem & { food: Food } => item.food !== null);
  const foods = useSignal<readonly Food[]>(known.map(({ food }) => food));
  const isTaken = useSignal<readonly boolean[]>(known.map(({ confidence }) => confidence >= PROPOSAL));
  const taken = foods.value.filter((_, at) => isTaken.value[at]);
  const lost = [...read.items.filter(({ unresolved }) => unresolved !== undefined), ...read.ignored];
  return (
    <section class="read" aria-label={understood}>
      <h3>{understood}</h3>
      <ul class="rows">
        {known.map((item, at) => (
          <ReadRow
            key={item.start}
            item={item}
            food={foods.value[at]!}
            isTaken={isTaken.value[at]!}
            onTake={(is) => {
              isTaken.value = isTaken.value.with(at, is);
            }}
            onExchange={(food) => {
              foods.value = foods.value.with(at, food);
              isTaken.value = isTaken.value.with(at, true);
            }}
          />
        ))}
      </ul>
      {lost.length > 0 && (
        <p class="problem">{notUnderstood(lost.map(({ text }) => `“${text}”`).join(', '))}</p>
      )}
      <button
        type="button"
        class="primary"
        disabled={taken.length === 0}
        onClick={() =>
          void write(
            taken.map((food) => {
              const { value, unit } = food.servingSize;
              return { foodId: food.id, quantity: value, unit, food };
            }),
          )
        }
      >
        {addAll(taken.length)}
      </button>
    </section>
  );
}

interface ReadRowProps {
  readonly item: TextItem & { food: Food };
  readonly food: Food;
  readonly isTaken: boolean;
  readonly onTake: (is: boolean) => void;
  readonly onExchange: (food: Food) => void;
}

function ReadRow({ item, food, isTaken, onTake, onExchange }: ReadRowProps) {
  const { unsure } = texts.value;
  const { precise } = numbers.value;
  const choices = [item.food, ...item.alternatives];
  const { value, unit } = food.servingSize;
  return (
    <li class="row read-row">
      <input
        type="checkbox"
        aria-label={food.name}
        checked={isTaken}
        onChange={({ currentTarget: { checked } }) => onTake(checked)}
      />
      <span class="entry-name">
        <select
          aria-label={item.text}
          value={food.id}
          onChange={({ currentTarget: { value: id } }) => onExchange(choices.find((each) => each.id === id)!)}
        >
          {choices.map(({ id, name, brand }) => (
            <option key={id} value={id}>
              {brand === undefined ? name : `${name}, ${brand}`}
            </option>
          ))}
        </select>
        {item.confidence < UNSURE && <span class="unsure">{unsure}</span>}
      </span>
      <span class="entry-quantity">
        {item.quantity !== null && `${precise(item.quantity)} ${item.unit ?? item.text} · `}
        {precise(value)} {unit}
      </span>
      <span class="amount">{energyText(food.macros.energy)}</span>
    </li>
  );
}
