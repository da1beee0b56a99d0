import { useSignal } from '@preact/signals';
import type { Ingredient } from 'larder-client';
import { amountText, unitName } from '../amounts/amount-text.ts';
import { numberOf, typedNumber } from '../amounts/typed-number.ts';
import { energyText, energyUnit, kcalOf } from '../parts/measures.ts';
import { NumberInput } from '../parts/number-field.tsx';
import { texts } from '../texts/texts.ts';
import { type Fix, formOf, type LinePart, type RecipeLine } from './lines.ts';

interface LineListProps {
  readonly lines: readonly RecipeLine[];
  /** False while the service reads what was typed last. */
  readonly isRead: boolean;
  readonly onFix: (key: string, fix: Fix) => void;
}

/** Each line with what was understood: uncertain parts can be exchanged, and what is missing can be stated. */
export function LineList({ lines, isRead, onFix }: LineListProps) {
  const { recipesPage: all } = texts.value;
  return (
    <section aria-label={all.understood} aria-busy={!isRead}>
      <h2>{all.understood}</h2>
      {lines.length === 0 && <p class="quiet note">{all.linesText}</p>}
      <ol class="read-lines">
        {lines.map((line, at) => (
          <li key={`${at} ${line.text}`}>
            <p class="line-text">{line.text}</p>
            {line.kept.map((ingredient, part) => (
              <KeptPart key={`${part} ${ingredient.name}`} ingredient={ingredient} />
            ))}
            {line.parts.map((part) => (
              <PartRow key={part.key} part={part} onFix={(fix) => onFix(part.key, fix)} />
            ))}
            {isRead && line.kept.length === 0 && line.parts.length === 0 && (
              <p class="unread">{all.noFood}</p>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function KeptPart({ ingredient }: { readonly ingredient: Ingredient }) {
  const { quantity, unit, name, calories } = ingredient;
  return (
    <p class="part">
      <span>
        {quantity !== undefined && `${amountText(quantity, unit)} · `}
        {name}
      </span>
      {calories !== undefined && <span class="amount">{energyText(calories)}</span>}
    </p>
  );
}

function PartRow({ part, onFix }: { readonly part: LinePart; readonly onFix: (fix: Fix) => void }) {
  const { recipesPage: all, unsure, energy: energyName, amount: amountName } = texts.value;
  const { item, food, amount, typed, unit, energy, state } = part;
  const typedEnergy = useSignal('');
  const form = formOf(part);
  const foods = [item.food, ...item.alternatives].filter((each) => each !== undefined);
  if (food !== undefined && !foods.some(({ id }) => id === food.id)) foods.push(food);
  return (
    <div class={`part ${state}`}>
      {foods.length > 1 && food !== undefined ? (
        <select
          aria-label={all.foodOf(item.text)}
          value={food.id}
          onChange={({ currentTarget: { value } }) => {
            const chosen = foods.find(({ id }) => id === value);
            if (chosen !== undefined) onFix({ food: chosen });
          }}
        >
          {foods.map(({ id, name, brand }) => (
            <option key={id} value={id}>
              {brand === undefined ? name : `${name}, ${brand}`}
            </option>
          ))}
        </select>
      ) : (
        <span>{food?.name ?? <span class="unread">{all.noFoodOf(item.text)}</span>}</span>
      )}
      {food !== undefined && (
        <span class="with-unit part-amount">
          <NumberInput
            name={`${amountName}: ${item.text}`}
            value={typed ?? typedNumber(amount)}
            onInput={(text) => onFix({ food, amount: text })}
          />
          {unitName(unit)}
        </span>
      )}
      {food === undefined && (
        <span class="with-unit part-amount">
          <NumberInput
            name={`${energyName}: ${item.text}`}
            value={typedEnergy.value}
            onInput={(text) => {
              typedEnergy.value = text;
              const value = numberOf(text);
              onFix(value >= 0 ? { calories: kcalOf(value) } : {});
            }}
          />
          {energyUnit.value}
        </span>
      )}
      <span class="amount">{energy !== undefined && energyText(energy)}</span>
      {form !== undefined && (
        <span class="form-taken quiet note">
          {all.formTaken[form.taken]}{' '}
          <button type="button" class="link" onClick={() => onFix({ food: form.other })}>
            {all.takeInstead(form.other.name)}
          </button>
        </span>
      )}
      {state === 'unsure' && <span class="unsure">{unsure}</span>}
      {state === 'noAmount' && <span class="unread">{texts.value.noAmount}</span>}
    </div>
  );
}
