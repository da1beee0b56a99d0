import { AmountInputs } from '../amounts/amount-inputs.tsx';
import { unitName } from '../amounts/amount-text.ts';
import { type StatedAmount, useLargeAmounts } from '../amounts/large-amounts.tsx';
import { numberOf, typedAmount } from '../amounts/typed-number.ts';
import { Icon } from '../parts/icon.tsx';
import { energyText, energyUnit } from '../parts/measures.ts';
import { NumberInput } from '../parts/number-field.tsx';
import { texts } from '../texts/texts.ts';
import type { NewFood } from '../today/day-store.ts';
import { changeTicked, energyOfTicked, entryOfTicked, type Ticked, ticked, toggle } from './ticked.ts';

interface TickBarProps {
  readonly write: (foods: readonly NewFood[]) => Promise<void>;
}

/** The foods that were ticked: each amount can be changed, and one button adds all. */
export function TickBar({ write }: TickBarProps) {
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
