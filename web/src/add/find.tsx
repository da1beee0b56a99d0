import type { AddedMethod, Food } from 'larder-client';
import { person } from '../account/session.ts';
import { numberOf } from '../amounts/typed-number.ts';
import { ownDiet } from '../facts/own-diet.ts';
import { loadFitNote, loadWarnings } from '../facts/parts.ts';
import { amountOf } from '../offline/entries/recipe-food.ts';
import { KeepText } from '../offline/kept-texts.tsx';
import { Icon } from '../parts/icon.tsx';
import { Later } from '../parts/later.tsx';
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
import { TickBar } from './tick-bar.tsx';
import { isTicking, ticked, tickOfFood, toggle } from './ticked.ts';
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
