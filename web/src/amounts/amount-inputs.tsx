import type { Food } from 'larder-client';
import { NumberInput } from '../parts/number-field.tsx';
import { texts } from '../texts/texts.ts';
import { proposedIn, type UnitChoice } from './food-amounts.ts';
import { numberOf, typedAmount } from './typed-number.ts';
import { unitsWith } from './units.ts';

/** An amount as typed in a form. */
export interface TypedAmount {
  readonly quantity: string;
  readonly unit: string;
  /** Whether the quantity was typed: it stays when the unit changes. One that was proposed is converted. */
  readonly isTyped?: boolean | undefined;
}

export function inOtherUnit(food: Food, { quantity, unit, isTyped }: TypedAmount, to: string): TypedAmount {
  if (isTyped === true) return { quantity, unit: to, isTyped };
  return { quantity: typedAmount(proposedIn(food, numberOf(quantity), unit, to), to), unit: to };
}

interface AmountInputsProps {
  readonly food: Food;
  /** Stands in the names of both fields. */
  readonly name: string;
  readonly amount: TypedAmount;
  readonly isRequired?: boolean;
  readonly onChange: (amount: TypedAmount) => void;
}

/** How much of a food in a row of a list: a number and one of its units. */
export function AmountInputs({ food, name, amount, isRequired = true, onChange }: AmountInputsProps) {
  const { amount: amountLabel, unit: unitLabel } = texts.value;
  const { quantity, unit } = amount;
  return (
    <>
      <NumberInput
        name={`${amountLabel}, ${name}`}
        isRequired={isRequired}
        isPositive
        value={quantity}
        onInput={(text) => onChange({ quantity: text, unit, isTyped: true })}
      />
      <UnitSelect
        name={`${unitLabel}, ${name}`}
        units={unitsWith(food, unit)}
        unit={unit}
        onChange={(to) => onChange(inOtherUnit(food, amount, to))}
      />
    </>
  );
}

interface UnitSelectProps {
  readonly units: readonly UnitChoice[];
  readonly unit: string;
  /** The name, where no label stands around it. */
  readonly name?: string;
  readonly onChange: (unit: string) => void;
}

export function UnitSelect({ units, unit, name, onChange }: UnitSelectProps) {
  return (
    <select
      aria-label={name}
      value={unit}
      disabled={units.length === 1}
      onChange={({ currentTarget: { value } }) => onChange(value)}
    >
      {units.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  );
}
