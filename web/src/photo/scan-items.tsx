import { useSignal } from '@preact/signals';
import type { Food, ScanItem } from 'larder-client';
import { finishAdd, meal, target } from '../add/dialog-state.ts';
import { unitName } from '../amounts/amount-text.ts';
import { nutrientsOf } from '../amounts/food-amounts.ts';
import { type StatedAmount, useLargeAmounts } from '../amounts/large-amounts.tsx';
import { numberOf, typedNumber } from '../amounts/typed-number.ts';
import { larder } from '../larder.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { useDraft } from '../parts/draft.ts';
import { energyText, energyUnit } from '../parts/measures.ts';
import { NumberInput } from '../parts/number-field.tsx';
import { Problem } from '../parts/problem-line.tsx';
import { numbers, texts } from '../texts/texts.ts';
import { addScan } from '../today/entry-writes.ts';
import { forgetScan } from './photo-scan.ts';

/** What the user made of an item. */
interface Choice {
  readonly isTaken: boolean;
  readonly quantity: string;
  /** An alternative instead of the item. */
  readonly foodId?: string;
  /** What a serving weighs whose weight the label does not tell; empty if the user does not know it. */
  readonly grams?: string;
}

/** The amount of an item, or of the food that was chosen instead. */
interface ItemAmount extends StatedAmount {
  readonly index: number;
  readonly foodId?: string;
  readonly servingGrams?: number;
}

interface ScanItemsProps {
  readonly jobId: string;
  readonly items: readonly ScanItem[];
}

/** The foods of a photo, to confirm: each can be left out, exchanged and weighed anew. */
export function ScanItems({ jobId, items }: ScanItemsProps) {
  const { addAll, onPhoto, severalOnPhoto } = texts.value;
  const first: Choice[] = items.map(({ unsure, servingSize: { value } }) => ({
    isTaken: unsure !== true,
    quantity: typedNumber(value),
  }));
  const { values, set, clear } = useDraft<{ choices: readonly Choice[] }>(`photo ${jobId}`, {
    choices: first,
  });
  const problem = useSignal('');
  const isWriting = useSignal(false);
  const taken = values.choices.filter(({ isTaken }) => isTaken);
  /** Foods that were chosen instead, with all their servings, by their ids. */
  const others = useSignal<Readonly<Record<string, Food>>>({});
  const large = useLargeAmounts((amounts: readonly ItemAmount[]) => write(amounts));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const amounts = values.choices.flatMap(({ isTaken, quantity, foodId, grams = '' }, at): ItemAmount[] => {
      const item = items[at]!;
      const { value, unit } = item.servingSize;
      const food = foodId === undefined ? undefined : others.peek()[foodId];
      const amount = {
        index: at,
        quantity: numberOf(quantity),
        unit,
        ...(foodId !== undefined && { foodId }),
        ...(grams.trim() !== '' && { servingGrams: numberOf(grams) }),
      };
      if (!isTaken) return [];
      if (food !== undefined) return [{ ...amount, food }];
      const energy = (item.macros.energy * amount.quantity) / value;
      return [{ ...amount, name: item.name, energy, ...(unit === 'g' && { measure: amount.quantity }) }];
    });
    void large.submit(amounts);
  };
  const write = async (amounts: readonly ItemAmount[]) => {
    const to = target.peek()!;
    isWriting.value = true;
    const chosen = amounts.map(({ index, quantity, unit, foodId, servingGrams }) => ({
      ...{ index, quantity, unit },
      ...(foodId !== undefined && { foodId }),
      ...(servingGrams !== undefined && { servingGrams }),
    }));
    try {
      await addScan(to, meal.peek()!, jobId, chosen);
      clear();
      forgetScan();
      finishAdd();
    } catch (error) {
      problem.value = to.problemOf(error);
    }
    isWriting.value = false;
  };
  return (
    <form class="scan-items" aria-label={onPhoto} onSubmit={submit} onInput={large.forget}>
      <h3>{onPhoto}</h3>
      {items.filter(({ origin }) => origin === 'barcode').length > 1 && (
        <p class="photo-part">{severalOnPhoto}</p>
      )}
      <ul class="rows">
        {items.map((item, at) => (
          <ItemRow
            key={`${item.name} ${at}`}
            item={item}
            choice={values.choices[at]!}
            other={others.value[values.choices[at]!.foodId ?? '']}
            onRead={(food) => {
              others.value = { ...others.peek(), [food.id]: food };
            }}
            onChange={(change) => {
              const choices = values.choices.with(at, { ...values.choices[at]!, ...change });
              set({ choices });
            }}
          />
        ))}
      </ul>
      {large.question}
      <Problem text={problem.value} />
      <BusyButton type="submit" class="primary" disabled={taken.length === 0} isBusy={isWriting.value}>
        {addAll(taken.length)}
      </BusyButton>
    </form>
  );
}

interface ItemRowProps {
  readonly item: ScanItem;
  readonly choice: Choice;
  /** The alternative that was chosen, when it is read: the item's own energy says nothing of it. */
  readonly other: Food | undefined;
  readonly onRead: (food: Food) => void;
  readonly onChange: (change: Partial<Choice>) => void;
}

function ItemRow({ item, choice, other, onRead, onChange }: ItemRowProps) {
  const { isTaken, quantity, foodId, grams = '' } = choice;
  const { take, instead, amount, usually, unsure, youEat, householdEats } = texts.value;
  const { unweighed, servingWeighs } = texts.value;
  const { whole } = numbers.value;
  const { name, servingSize, servingRange, because, alternatives } = item;
  const exchange = async (id: string) => {
    onChange({ foodId: id === '' ? undefined! : id, isTaken: true });
    const food = id === '' ? undefined : await larder.foods.get(id).catch(() => undefined);
    if (food !== undefined) onRead(food);
  };
  const energy =
    foodId === undefined
      ? (item.macros.energy * numberOf(quantity)) / servingSize.value
      : other && nutrientsOf(other, numberOf(quantity), servingSize.unit).energy;
  const shown = alternatives.find((each) => each.foodId === foodId)?.name ?? name;
  return (
    <li class="row scan-row" data-taken={isTaken}>
      <input
        type="checkbox"
        aria-label={take(shown)}
        checked={isTaken}
        onChange={({ currentTarget: { checked } }) => onChange({ isTaken: checked })}
      />
      <span class="entry-name">
        {alternatives.length === 0 ? (
          name
        ) : (
          <select
            aria-label={instead(name)}
            value={foodId ?? ''}
            onChange={({ currentTarget: { value } }) => void exchange(value)}
          >
            <option value="">{name}</option>
            {alternatives.map((each) => (
              <option key={each.foodId} value={each.foodId}>
                {each.name}
              </option>
            ))}
          </select>
        )}
        {item.unsure === true && <span class="unsure">{unsure}</span>}
        {because !== undefined && foodId === undefined && (
          <span class="quiet">{because.times === undefined ? householdEats : youEat(because.times)}</span>
        )}
      </span>
      <span class="scan-amount">
        <span class="with-unit">
          <NumberInput
            name={`${amount}, ${shown}`}
            isRequired={isTaken}
            isPositive
            value={quantity}
            onInput={(text) => onChange({ quantity: text })}
          />
          {unitName(servingSize.unit)}
        </span>
        {servingRange !== undefined && (
          <span class="quiet">{usually(whole(servingRange.low), whole(servingRange.high))}</span>
        )}
        {item.weightUnknown && (
          <>
            <span class="quiet">{unweighed}</span>
            <label class="quiet">
              {servingWeighs}
              <span class="with-unit">
                <NumberInput isPositive value={grams} onInput={(text) => onChange({ grams: text })} />g
              </span>
            </label>
          </>
        )}
      </span>
      <span class="amount">{energy === undefined ? `? ${energyUnit.value}` : energyText(energy)}</span>
    </li>
  );
}
