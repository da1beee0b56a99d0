import type { AddedMethod, Food } from 'larder-client';
import { person } from '../account/session.ts';
import { AmountInputs } from '../amounts/amount-inputs.tsx';
import { unitName } from '../amounts/amount-text.ts';
import { type StatedAmount, useLargeAmounts } from '../amounts/large-amounts.tsx';
import { numberOf, typedAmount } from '../amounts/typed-number.ts';
import { ownDiet } from '../facts/own-diet.ts';
import { loadFitNote, loadWarnings } from '../facts/parts.ts';
import { amountOf } from '../offline/entries/recipe-food.ts';
import { KeepText } from '../offline/kept-texts.tsx';
import { Icon } from '../parts/icon.tsx';
import { Later } from '../parts/later.tsx';
import { energyText, energyUnit } from '../parts/measures.ts';
import { NumberInput } from '../parts/number-field.tsx';
import { setTo } from '../parts/signals.ts';
import { startScan } from '../photo/photo-scan.ts';
import { texts } from '../texts/texts.ts';
import type { NewFood } from '../today/day-store.ts';
import { step } from './dialog-state.ts';
import { DictationButton } from './dictation.tsx';
import { FoodField } from './food-field.tsx';
import { answered, foods, hiddenCount, isBarcode, productCode, reading } from './found.ts';
import { KeptRows } from './kept-rows.tsx';
import { query } from './query.ts';
import { ReadRows } from './read-rows.tsx';
import { RecentRows, YesterdayRow } from './recent-rows.tsx';
import { startAmount } from './start-amount.ts';
import {
  changeTicked,
  energyOfTicked,
  entryOfTicked,
  isTicking,
  type Ticked,
  ticked,
  tickOfFood,
  toggle,
} from './ticked.ts';
import { labelBarcode, loadShopFoods, UnknownBarcode } from './unknown-barcode.tsx';

interface FindProps {
  readonly onChoose: (food: Food, method?: AddedMethod) => void;
  readonly write: (foods: readonly NewFood[]) => Promise<void>;
}

/** The search field with its results, recent foods, and the ways to add without typing. */
export function Find({ onChoose, write }: FindProps) {
  const isEmpty = query.value.trim() === '';
  const isAnswered = answered.value !== '';
  const isEmptyAnswer = isAnswered && foods.value.length === 0 && reading.value === undefined;
  const hasNone = isEmptyAnswer && hiddenCount.value === 0;
  const choose = (food: Food, isMore: boolean) => {
    if (isMore || isTicking.value) {
      isTicking.value = true;
      toggle(tickOfFood(food));
    } else onChoose(food, isBarcode(answered.value) ? 'barcode' : undefined);
  };
  const addUsual = (food: Food) => {
    const { quantity, unit } = startAmount(food);
    const entry = amountOf(food, numberOf(quantity), unit);
    void write([isBarcode(answered.value) ? { ...entry, addedMethod: 'barcode' } : entry]);
  };
  return (
    <>
      <FoodField onChoose={choose} onAdd={addUsual}>
        <Ways />
        <KeepText />
        {reading.value !== undefined && (
          <ReadRows key={answered.value} text={answered.value} read={reading.value} write={write} />
        )}
        {isEmpty && <YesterdayRow />}
        <KeptRows
          words={query.value}
          max={isEmpty ? 10 : 3}
          write={write}
          onChoose={(food) => onChoose(food)}
        />
        <RecentRows words={query.value} max={isEmpty ? 20 : 3} write={write} />
        {isAnswered && ownDiet.value !== undefined && <ForDiet />}
      </FoodField>
      {hasNone && <NoFoods text={answered.value} />}
      {isTicking.value && <TickBar write={write} />}
    </>
  );
}

/** A scanned food is shown whatever it states; a search shows what fits. */
function ForDiet() {
  const [food] = foods.value;
  if (!isBarcode(answered.value)) return <Later key="note" load={loadFitNote} props={{}} />;
  if (food === undefined) return null;
  return (
    <div class="found-warnings">
      <Later key={food.id} load={loadWarnings} props={{ food }} />
    </div>
  );
}

/** Says that nothing was found, and offers the way on: an own food with that barcode, or energy alone. */
function NoFoods({ text }: { readonly text: string }) {
  const { noFoods, quickAdd } = texts.value;
  const barcode = productCode(text);
  if (barcode !== undefined) return <UnknownBarcode barcode={barcode} />;
  return (
    <>
      <p class="empty">
        {noFoods(text)}
        <button type="button" class="link" onClick={() => setTo(step, { kind: 'quick' })}>
          {quickAdd}
        </button>
      </p>
      {person.value?.role === 'owner' && <Later load={loadShopFoods} props={{}} />}
    </>
  );
}

/** Ways to add that need no typing, and the choice of several foods. */
function Ways() {
  const { camera, choosePhoto, quickAdd, several } = texts.value;
  return (
    <div class="ways">
      <button type="button" class="way" onClick={() => setTo(step, { kind: 'camera' })}>
        <Icon name="camera" />
        {camera}
      </button>
      <label class="way">
        <Icon name="image" />
        {choosePhoto}
        <input
          class="hidden-input"
          type="file"
          accept="image/jpeg,image/png,image/webp,image/heic,image/heif"
          onChange={({ currentTarget: { files } }) => {
            if (files?.[0] === undefined) return;
            labelBarcode.value = undefined;
            startScan(files[0], 'upload');
            step.value = { kind: 'photo' };
          }}
        />
      </label>
      <button type="button" class="way" onClick={() => setTo(step, { kind: 'quick' })}>
        <Icon name="zap" />
        {quickAdd}
      </button>
      <DictationButton onText={(text) => setTo(query, text)} />
      <button
        type="button"
        class="way"
        aria-pressed={isTicking.value}
        onClick={() => {
          isTicking.value = !isTicking.value;
          if (!isTicking.value) ticked.value = [];
        }}
      >
        <Icon name="listChecks" />
        {several}
      </button>
    </div>
  );
}

interface TickBarProps {
  readonly write: (foods: readonly NewFood[]) => Promise<void>;
}

/** The foods that were ticked: each amount can be changed, and one button adds all. */
function TickBar({ write }: TickBarProps) {
  const { addAll, tickHint } = texts.value;
  const all = ticked.value;
  const large = useLargeAmounts((amounts: readonly TickedAmount[]) =>
    write(amounts.map(({ tick, quantity, unit }) => entryOfTicked(withAmount(tick, quantity, unit)))),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void large.submit(all.map(statedOf));
  };
  return (
    <form class="tick-bar" onSubmit={submit} onInput={large.forget}>
      {all.length === 0 && <p class="quiet">{tickHint}</p>}
      <ul class="rows">
        {all.map((each) => (
          <TickedRow key={each.key} tick={each} />
        ))}
      </ul>
      {large.question}
      <button type="submit" class="primary" disabled={all.length === 0}>
        {addAll(all.length)}
        {all.length > 0 &&
          ` · ${energyText(all.reduce((sum, each) => sum + (energyOfTicked(each) ?? 0), 0))}`}
      </button>
    </form>
  );
}

interface TickedAmount extends StatedAmount {
  readonly tick: Ticked;
}

function statedOf(tick: Ticked): TickedAmount {
  const { food, amount } = tick;
  const quantity = amount === undefined ? 0 : numberOf(amount.quantity);
  return { tick, food, quantity, unit: amount?.unit ?? '', energy: energyOfTicked(tick) };
}

/** The food with the amount that was decided on. */
function withAmount(tick: Ticked, quantity: number, unit: string): Ticked {
  return tick.amount === undefined
    ? tick
    : { ...tick, amount: { quantity: typedAmount(quantity, unit), unit } };
}

function TickedRow({ tick }: { readonly tick: Ticked }) {
  const { amount: amountLabel, remove } = texts.value;
  const { key, name, food, amount } = tick;
  const energy = energyOfTicked(tick);
  return (
    <li class="row scan-row">
      <button type="button" class="round" aria-label={remove(name)} onClick={() => toggle(tick)}>
        <Icon name="x" />
      </button>
      <span class="entry-name">{name}</span>
      <span class="scan-amount">
        {amount !== undefined && food !== undefined && (
          <AmountInputs
            food={food}
            name={name}
            amount={amount}
            onChange={(to) => changeTicked(key, { amount: to })}
          />
        )}
        {amount !== undefined && food === undefined && (
          <span class="with-unit">
            <NumberInput
              name={`${amountLabel}, ${name}`}
              isRequired
              isPositive
              value={amount.quantity}
              onInput={(quantity) => changeTicked(key, { amount: { ...amount, quantity, isTyped: true } })}
            />
            {unitName(amount.unit)}
          </span>
        )}
      </span>
      <span class="amount">{energy === undefined ? `? ${energyUnit.value}` : energyText(energy)}</span>
    </li>
  );
}
