import { useSignal } from '@preact/signals';
import type { Food, ParsedText } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { AmountInputs } from '../amounts/amount-inputs.tsx';
import { amountText } from '../amounts/amount-text.ts';
import { basisOf } from '../amounts/food-amounts.ts';
import { type StatedAmount, useLargeAmounts } from '../amounts/large-amounts.tsx';
import { numberOf, typedAmount } from '../amounts/typed-number.ts';
import { listOf } from '../days.ts';
import { larder } from '../larder.ts';
import { amountOf } from '../offline/entries/recipe-food.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { energyText, energyUnit } from '../parts/measures.ts';
import { setTo } from '../parts/signals.ts';
import { texts } from '../texts/texts.ts';
import type { NewFood } from '../today/day-store.ts';
import {
  type Details,
  exchanged,
  type ReadItem,
  type Row,
  type RowEdit,
  readEdits,
  rowOf,
} from './read-row.ts';

/** A food below this is a proposal, as in the totals of the service. */
const PROPOSAL = 0.3;
const UNSURE = 0.6;
/** Maximum foods in one request to the service. */
const MAX_IDS = 100;

interface ReadRowsProps {
  /** The text that was read. */
  readonly text: string;
  readonly read: ParsedText;
  readonly write: (foods: readonly NewFood[]) => Promise<void>;
}

/** The foods read from a text, to confirm: each can be left out, exchanged or given another amount; unread words are shown. */
export function ReadRows({ text, read, write }: ReadRowsProps) {
  const { understood, notUnderstood, quoted, addAll } = texts.value;
  const known = read.items.filter((item): item is ReadItem => item.food !== undefined);
  const edits = readEdits.value.text === text ? readEdits.value.edits : {};
  const { details, isRead } = useDetails(known);
  const isWriting = useSignal(false);
  const rows = known.map((item, at) => {
    const edit = edits[at] ?? {};
    return {
      item,
      edit,
      isTaken: edit.isTaken ?? item.confidence >= PROPOSAL,
      row: rowOf(item, edit, details),
    };
  });
  const taken = rows.filter(({ isTaken }) => isTaken);
  const lost = [...read.items.filter(({ food }) => food === undefined), ...read.ignored];
  const large = useLargeAmounts(async (amounts: readonly (StatedAmount & { readonly food: Food })[]) => {
    isWriting.value = true;
    await write(amounts.map(({ food, quantity, unit }) => amountOf(food, quantity, unit)));
    isWriting.value = false;
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void large.submit(
      taken.map(({ row: { food, quantity, unit } }) => ({ food, quantity: numberOf(quantity), unit })),
    );
  };
  return (
    <section class="read" aria-label={understood}>
      <h3>{understood}</h3>
      <form onSubmit={submit} onInput={large.forget}>
        <ul class="rows">
          {rows.map((row, at) => (
            <ReadRow
              key={row.item.start}
              {...row}
              onEdit={(edit) => setTo(readEdits, { text, edits: { ...edits, [at]: edit } })}
            />
          ))}
        </ul>
        {lost.length > 0 && (
          <p class="problem">{notUnderstood(listOf(lost.map((each) => quoted(each.text))))}</p>
        )}
        {large.question}
        <BusyButton
          type="submit"
          class="primary"
          disabled={taken.length === 0}
          isBusy={isWriting.value || !isRead}
        >
          {addAll(taken.length)}
        </BusyButton>
      </form>
    </section>
  );
}

/**
 * The foods with all servings. `isRead` once the service answered or cannot: until then the amounts of the rows may change, and afterwards
 * those of foods without details are in the units of the answer.
 */
function useDetails(items: readonly ReadItem[]): { readonly details: Details; readonly isRead: boolean } {
  const details = useSignal<Details>(new Map());
  const isRead = useSignal(false);
  useEffect(() => {
    const ids = [
      ...new Set(items.flatMap(({ food, alternatives }) => [food, ...alternatives].map(({ id }) => id))),
    ];
    const settle = () => setTo(isRead, true);
    if (ids.length === 0) return settle();
    larder.foods
      .batch(ids.slice(0, MAX_IDS))
      .then(
        ({ foods }) => setTo(details, new Map(foods.map((food) => [food.id, food]))),
        () => undefined,
      )
      .then(settle);
  }, []);
  return { details: details.value, isRead: isRead.value };
}

interface ReadRowProps {
  readonly item: ReadItem;
  readonly row: Row;
  readonly edit: RowEdit;
  readonly isTaken: boolean;
  readonly onEdit: (edit: RowEdit) => void;
}

function ReadRow({ item, row, edit, isTaken, onEdit }: ReadRowProps) {
  const { unsure, take, instead, noAmount } = texts.value;
  const { food, quantity, unit, energy } = row;
  const choices = [item.food, ...item.alternatives];
  return (
    <li class="row scan-row" data-taken={isTaken}>
      <input
        type="checkbox"
        aria-label={take(food.name)}
        checked={isTaken}
        onChange={({ currentTarget: { checked } }) => onEdit({ ...edit, isTaken: checked })}
      />
      <span class="entry-name">
        {choices.length === 1 ? (
          nameOf(food)
        ) : (
          <select
            aria-label={instead(item.food.name)}
            value={food.id}
            onChange={({ currentTarget: { value } }) =>
              onEdit(exchanged(edit, choices.find(({ id }) => id === value)!))
            }
          >
            {choices.map((each) => (
              <option key={each.id} value={each.id}>
                {nameOf(each)}
              </option>
            ))}
          </select>
        )}
        {item.confidence < UNSURE && <span class="unsure">{unsure}</span>}
        {item.unresolved === 'amount' && <span class="unsure">{noAmount}</span>}
        {food.id === item.food.id && <AssumedAmount item={item} edit={edit} onEdit={onEdit} />}
      </span>
      <span class="scan-amount">
        <AmountInputs
          food={food}
          name={food.name}
          amount={{ quantity, unit, isTyped: edit.isTyped }}
          isRequired={isTaken}
          onChange={(amount) => onEdit({ ...edit, ...amount })}
        />
      </span>
      <span class="amount">{energy === undefined ? `? ${energyUnit.value}` : energyText(energy)}</span>
    </li>
  );
}

/** The assumed amount where none was stated, with alternatives. */
function AssumedAmount({
  item: { food, portion },
  edit,
  onEdit,
}: Pick<ReadRowProps, 'item' | 'edit' | 'onEdit'>) {
  if (portion === undefined || portion.others.length === 0) return null;
  const chosen = portion.others.findIndex(({ grams }) => edit.quantity === typedAmount(grams, basisOf(food)));
  return (
    <select
      class="assumed"
      aria-label={texts.value.assumedAmount(food.name)}
      value={chosen}
      onChange={({ currentTarget: { value } }) => {
        const { quantity: _, unit: __, isTyped: ___, ...rest } = edit;
        const other = portion.others[Number(value)];
        const unit = basisOf(food);
        onEdit(
          other === undefined
            ? rest
            : { ...rest, quantity: typedAmount(other.grams, unit), unit, isTyped: true },
        );
      }}
    >
      <option value={-1}>{portionText(portion.assumed)}</option>
      {portion.others.map(({ label }, at) => (
        <option key={label} value={at}>
          {portionText(label)}
        </option>
      ))}
    </select>
  );
}

/** The portion as the service names it, "2 × 1 egg", in the language of the page. */
function portionText(label: string): string {
  if (label === 'usual portion') return texts.value.usualPortion;
  const [, times = '1', portion = label] = /^(\d+(?:\.\d+)?) × (.+)$/.exec(label) ?? [];
  return /^\d/.test(portion) ? amountText(Number(times), portion) : label;
}

function nameOf({ name, brand }: Food): string {
  return brand === undefined ? name : `${name}, ${brand}`;
}
