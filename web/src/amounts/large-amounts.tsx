import { useSignal } from '@preact/signals';
import type { Food } from 'larder-client';
import { energyText } from '../parts/measures.ts';
import { setTo } from '../parts/signals.ts';
import { texts } from '../texts/texts.ts';
import { amountText } from './amount-text.ts';
import { basisOf, isCounted, measureOf, nutrientsOf } from './food-amounts.ts';

/** From here on an amount is asked about once, in grams or milliliters and in kcal. */
const LARGE_MEASURE = 1_500;
const LARGE_KCAL = 3_000;

/** An amount that is about to be written. */
export interface StatedAmount {
  readonly quantity: number;
  readonly unit: string;
  readonly food?: Food | undefined;
  /** kcal, if there is no food to compute them from. */
  readonly energy?: number | undefined;
  /** What is asked about, where no food has a name for it. */
  readonly name?: string | undefined;
  /** Grams or milliliters, if the units of the food do not state them. */
  readonly measure?: number | undefined;
  /** The share that one person eats: of the line of a recipe that of a serving. */
  readonly share?: number | undefined;
}

/**
 * Writes amounts, but asks once about each that is larger than what people eat: 200 containers are probably 200 g. `forget` takes a
 * question back, since the amount is being changed.
 */
export function useLargeAmounts<T extends StatedAmount>(write: (amounts: readonly T[]) => Promise<void>) {
  const asked = useSignal<{ readonly amounts: readonly T[]; readonly at: number } | undefined>(undefined);
  const submit = async (amounts: readonly T[], from = 0): Promise<void> => {
    const at = amounts.findIndex((each, index) => index >= from && isLarge(each));
    asked.value = at < 0 ? undefined : { amounts, at };
    if (at < 0) await write(amounts);
  };
  const question = asked.value && (
    <Question
      amount={asked.value.amounts[asked.value.at]!}
      onAnswer={(amount) => {
        const { amounts, at } = asked.peek()!;
        void submit(amounts.with(at, { ...amounts[at]!, ...amount }), at + 1);
      }}
    />
  );
  return {
    submit,
    question,
    forget: () => setTo(asked, undefined),
  };
}

function energyOf({ food, energy, quantity, unit }: StatedAmount): number | undefined {
  return energy ?? (food && nutrientsOf(food, quantity, unit).energy);
}

function sizeOf({ food, measure, quantity, unit }: StatedAmount): number | undefined {
  return measure ?? (food && measureOf(food, quantity, unit));
}

function isLarge(amount: StatedAmount): boolean {
  const { share = 1 } = amount;
  return (sizeOf(amount) ?? 0) * share > LARGE_MEASURE || (energyOf(amount) ?? 0) * share > LARGE_KCAL;
}

interface QuestionProps {
  readonly amount: StatedAmount;
  readonly onAnswer: (
    amount: Pick<StatedAmount, 'quantity' | 'unit'> & { energy?: undefined; measure?: undefined },
  ) => void;
}

function Question({ amount, onAnswer }: QuestionProps) {
  const { largeAmount } = texts.value;
  const { food, name = food?.name, quantity, unit } = amount;
  const energy = energyOf(amount);
  const measure = sizeOf(amount);
  const basis = food && basisOf(food);
  const what = [
    measure !== undefined && unit !== basis && amountText(measure, basis),
    energy !== undefined && energyText(energy),
  ].filter((each) => each !== false);
  // The number may have been meant in grams.
  const other = food === undefined || isCounted(food) || unit === basis ? undefined : basis;
  return (
    <div class="large-amount" role="alert">
      <p>
        {name !== undefined && <strong>{name}: </strong>}
        {largeAmount.ask(amountText(quantity, unit), what.join(', '))}
      </p>
      <div class="actions">
        <button type="button" onClick={() => onAnswer({ quantity, unit })}>
          {other === undefined ? largeAmount.keep(amountText(quantity, unit)) : amountText(quantity, unit)}
        </button>
        {other !== undefined && (
          <button
            type="button"
            onClick={() => onAnswer({ quantity, unit: other, energy: undefined, measure: undefined })}
          >
            {amountText(quantity, other)}
          </button>
        )}
      </div>
    </div>
  );
}
