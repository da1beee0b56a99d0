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
import { setTo } from '../parts/signals.ts';
import { locale, numbers, texts } from '../texts/texts.ts';
import { addScan } from '../today/entry-writes.ts';
import { OtherFood } from './other-food.tsx';
import { forgetScan, photoUrl } from './photo-scan.ts';

/** The height of a part of the photo, as in the styles. */
const CROP_PX = 54;
/** The option that opens a search. */
const SEARCH = '?';

/** What the user made of an item. */
interface Choice {
  readonly isTaken: boolean;
  readonly quantity: string;
  /** Another food instead of the item, with its unit, and its name if it is no alternative. */
  readonly foodId?: string | undefined;
  readonly unit?: string | undefined;
  readonly name?: string | undefined;
  /** Typed weight of a serving whose weight the label does not state; empty if the user does not know it. */
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

/** The foods of a photo, to confirm: each can be left out, exchanged or given another amount. */
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
    const amounts = values.choices.flatMap((choice, at): ItemAmount[] => {
      const { isTaken, quantity, foodId, grams = '' } = choice;
      const item = items[at]!;
      const { value } = item.servingSize;
      const unit = choice.unit ?? item.servingSize.unit;
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
            onRead={(food) => setTo(others, { ...others.peek(), [food.id]: food })}
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

/** Why a food is proposed, if it is not for what the model sees. */
function reasonOf({ because, likePhoto }: Pick<ScanItem, 'because' | 'likePhoto'>): string | undefined {
  const { youEat, householdEats, likeYourPhoto, likeTheirPhoto } = texts.value;
  const dates = new Intl.DateTimeFormat(locale.value, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  if (likePhoto !== undefined)
    return likePhoto.date === undefined
      ? likeTheirPhoto
      : likeYourPhoto(dates.format(new Date(likePhoto.date)));
  return because && (because.times === undefined ? householdEats : youEat(because.times));
}

/** The part of the photo that shows an item; nothing if the file is gone. */
function PhotoPart({ box: { left, top, width, height } }: { readonly box: NonNullable<ScanItem['box']> }) {
  if (photoUrl.value === undefined) return null;
  // As wide as the frame, and in the middle of its height.
  const up = `calc(${CROP_PX / 2}px - ${100 * (top + height / 2)}%)`;
  const style = { width: `${100 / width}%`, transform: `translate(${-100 * left}%, ${up})` };
  return (
    <span class="photo-crop">
      <img src={photoUrl.value} alt="" style={style} />
    </span>
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
  const { take, instead, amount, usually, unsure, anotherFood } = texts.value;
  const { unweighed, servingWeighs } = texts.value;
  const isSearching = useSignal(false);
  const { whole } = numbers.value;
  const { name, servingSize, servingRange, alternatives } = item;
  const unit = choice.unit ?? servingSize.unit;
  const exchange = async (id: string) => {
    isSearching.value = id === SEARCH;
    if (isSearching.value) return;
    const [chosen] = alternatives.filter((each) => each.foodId === id);
    const start = chosen?.servingSize ?? servingSize;
    onChange({
      foodId: id === '' ? undefined : id,
      isTaken: true,
      name: undefined,
      unit: chosen?.servingSize?.unit,
      ...(start.unit !== unit && { quantity: typedNumber(start.value) }),
    });
    const food = id === '' ? undefined : await larder.foods.get(id).catch(() => undefined);
    if (food !== undefined) onRead(food);
  };
  const choose = (food: Food) => {
    isSearching.value = false;
    onRead(food);
    const { value, unit: of } = food.servingSize;
    onChange({ foodId: food.id, isTaken: true, name: food.name, unit: of, quantity: typedNumber(value) });
  };
  const energy =
    foodId === undefined
      ? (item.macros.energy * numberOf(quantity)) / servingSize.value
      : other && nutrientsOf(other, numberOf(quantity), unit).energy;
  const alternative = alternatives.find((each) => each.foodId === foodId);
  const shown = choice.name ?? alternative?.name ?? name;
  const reason = foodId === undefined ? reasonOf(item) : alternative && reasonOf(alternative);
  return (
    <li class="row scan-row" data-taken={isTaken}>
      <input
        type="checkbox"
        aria-label={take(shown)}
        checked={isTaken}
        onChange={({ currentTarget: { checked } }) => onChange({ isTaken: checked })}
      />
      <span class="entry-name">
        {item.box && <PhotoPart box={item.box} />}
        {alternatives.length === 0 && item.origin !== 'dish' ? (
          name
        ) : (
          <select
            aria-label={instead(name)}
            value={isSearching.value ? SEARCH : (foodId ?? '')}
            onChange={({ currentTarget: { value } }) => void exchange(value)}
          >
            <option value="">{name}</option>
            {alternatives.map((each) => (
              <option key={each.foodId} value={each.foodId}>
                {each.name}
              </option>
            ))}
            {choice.name !== undefined && <option value={foodId}>{choice.name}</option>}
            {item.origin === 'dish' && <option value={SEARCH}>{anotherFood}</option>}
          </select>
        )}
        {item.unsure === true && <span class="unsure">{unsure}</span>}
        {reason !== undefined && <span class="quiet">{reason}</span>}
        {isSearching.value && <OtherFood onChoose={choose} />}
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
          {unitName(unit)}
        </span>
        {servingRange !== undefined && choice.unit === undefined && (
          <span class="quiet">{usually(whole(servingRange.low), whole(servingRange.high))}</span>
        )}
        {item.weightUnknown && item.origin === 'label' && (
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
