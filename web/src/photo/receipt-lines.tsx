import { useSignal } from '@preact/signals';
import type { Food, ReceiptLine } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { step } from '../add/dialog-state.ts';
import { query } from '../add/query.ts';
import { isTicked, isTicking, ticked, tickOfFood, toggle } from '../add/ticked.ts';
import { larder } from '../larder.ts';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { locale, numbers, texts } from '../texts/texts.ts';
import { forgetScan } from './photo-scan.ts';

/** Confidence below which a food is marked as uncertain. */
const UNSURE = 0.75;
/** Maximum foods in one request to the service. */
const MAX_IDS = 100;

/**
 * What was bought, to choose from: nothing is ticked, as nobody eats a whole receipt, and what is ticked goes to the foods that are
 * picked to be added together, with the usual amount of each.
 */
export function ReceiptLines({ lines }: { readonly lines: readonly ReceiptLine[] }) {
  const { onReceipt, receiptHint, receiptAmounts } = texts.value;
  const foods = useSignal<ReadonlyMap<string, Food>>(new Map());
  const problem = useSignal('');
  useEffect(() => {
    const ids = [...new Set(lines.flatMap(({ food }) => (food === undefined ? [] : [food.foodId])))];
    if (ids.length === 0) return;
    larder.foods.batch(ids.slice(0, MAX_IDS)).then(
      (found) => setTo(foods, new Map(found.foods.map((food) => [food.id, food]))),
      (error) => setTo(problem, problemOf(error)),
    );
  }, []);
  const count = ticked.value.length;
  return (
    <section class="scan-items" aria-label={onReceipt}>
      <h3>{onReceipt}</h3>
      <p class="photo-part">{receiptHint}</p>
      <ul class="rows">
        {lines.map((line, at) => (
          <LineRow key={`${line.text} ${at}`} line={line} food={foods.value.get(line.food?.foodId ?? '')} />
        ))}
      </ul>
      <Problem text={problem.value} />
      <button
        type="button"
        class="primary"
        disabled={count === 0}
        onClick={() => {
          isTicking.value = true;
          forgetScan();
          step.value = { kind: 'find' };
        }}
      >
        {receiptAmounts(count)}
      </button>
    </section>
  );
}

/** `food` is missing until it is read. */
function LineRow({ line, food }: { readonly line: ReceiptLine; readonly food: Food | undefined }) {
  const { take, unsure, noFoodKnown, searchFor } = texts.value;
  const { text, food: proposed } = line;
  return (
    <li class="row scan-row">
      {proposed === undefined ? (
        <span />
      ) : (
        <input
          type="checkbox"
          aria-label={take(proposed.name)}
          disabled={food === undefined}
          checked={food !== undefined && isTicked(tickOfFood(food).key)}
          onChange={() => toggle(tickOfFood(food!))}
        />
      )}
      <span class="entry-name">
        {proposed?.name ?? text}
        {proposed === undefined ? (
          <span class="quiet printed">
            {noFoodKnown}{' '}
            <button
              type="button"
              class="link"
              aria-label={searchFor(text)}
              onClick={() => {
                query.value = text;
                isTicking.value = ticked.peek().length > 0;
                step.value = { kind: 'find' };
              }}
            >
              {searchFor(text)}
            </button>
          </span>
        ) : (
          <span class="quiet printed">{text}</span>
        )}
        {proposed !== undefined && proposed.confidence < UNSURE && <span class="unsure">{unsure}</span>}
      </span>
      <span class="scan-amount quiet">{boughtText(line)}</span>
      <span class="amount">{priceText(line)}</span>
    </li>
  );
}

function boughtText({ quantity }: ReceiptLine): string {
  if (quantity === undefined) return '';
  const { precise } = numbers.value;
  return quantity.unit === undefined
    ? `${precise(quantity.value)} ×`
    : `${precise(quantity.value)} ${quantity.unit}`;
}

/** The price with its currency, if the receipt tells which it is. */
function priceText({ price, currency }: ReceiptLine): string {
  const style =
    currency !== undefined && /^[A-Z]{3}$/.test(currency) ? { style: 'currency' as const, currency } : {};
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(locale.value, { ...digits, ...style }).format(Number(price));
}
