import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { numberOf, typedNumber } from '../amounts/typed-number.ts';
import { numbers, texts } from '../texts/texts.ts';
import { setTo } from './signals.ts';

/** The service takes no larger amount of anything. */
const MAX_AMOUNT = 1_000_000;

interface NumberInputProps {
  /** As it was typed. */
  readonly value: string;
  readonly onInput: (text: string) => void;
  /** The name, where no label stands around it. */
  readonly name?: string;
  readonly isRequired?: boolean;
  /** Whether 0 is refused. */
  readonly isPositive?: boolean;
  readonly min?: number;
  readonly max?: number | undefined;
  readonly placeholder?: string | undefined;
  readonly describedBy?: string | undefined;
  /** What else speaks against the number. */
  readonly problem?: string | undefined;
  readonly input?: RefObject<HTMLInputElement | null>;
  /** Selects the number at focus, so that another one can be typed at once. */
  readonly selects?: boolean;
}

/**
 * A field for a number as people type it: "1,5", "1/2", "200+50". The arrow keys count up and down. What cannot be read is said below it
 * once it is left or sent.
 */
export function NumberInput({
  value,
  onInput,
  name,
  isRequired = false,
  isPositive = false,
  min = 0,
  max = MAX_AMOUNT,
  placeholder,
  describedBy,
  problem: other,
  input,
  selects = false,
}: NumberInputProps) {
  const own = useRef<HTMLInputElement>(null);
  const ref = input ?? own;
  const id = useId();
  const wasLeft = useSignal(false);
  const problem = problemOfNumber(value, { isRequired, isPositive, min, max }) ?? other ?? '';
  useLayoutEffect(() => ref.current?.setCustomValidity(problem), [problem]);
  // An empty field is a fault only when the form is sent.
  const isShown = wasLeft.value && problem !== '';
  const step = (by: number) => {
    const next = (numberOf(value) || 0) + by;
    if (next >= min && next <= max && !(isPositive && next === 0)) onInput(typedNumber(next));
  };
  return (
    <>
      <input
        ref={ref}
        type="text"
        inputMode="decimal"
        autocomplete="off"
        required={isRequired}
        aria-label={name}
        aria-invalid={isShown}
        aria-describedby={[describedBy, isShown && id].filter(Boolean).join(' ') || undefined}
        placeholder={placeholder}
        value={value}
        onFocus={selects ? ({ currentTarget }) => currentTarget.select() : undefined}
        onInput={({ currentTarget: { value: text } }) => onInput(text)}
        onBlur={() => setTo(wasLeft, value !== '')}
        onInvalid={(event) => {
          event.preventDefault();
          wasLeft.value = true;
          const { currentTarget } = event;
          if (currentTarget.form?.querySelector('input:invalid, select:invalid') === currentTarget)
            currentTarget.focus();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          step(event.key === 'ArrowUp' ? 1 : -1);
        }}
      />
      {isShown && (
        <span id={id} class="field-problem" aria-hidden="true">
          {problem}
        </span>
      )}
    </>
  );
}

interface Limits {
  readonly isRequired: boolean;
  readonly isPositive: boolean;
  readonly min: number;
  readonly max: number;
}

/** A sentence on what is wrong with a number; undefined if nothing is. */
function problemOfNumber(text: string, { isRequired, isPositive, min, max }: Limits): string | undefined {
  const { numberProblems: all } = texts.value;
  const { precise } = numbers.value;
  if (text.trim() === '') return isRequired ? all.missing : undefined;
  const value = numberOf(text);
  if (Number.isNaN(value)) return all.unreadable;
  if (isPositive && !(value > 0)) return all.notPositive;
  if (value < min) return all.tooSmall(precise(min));
  return value > max ? all.tooLarge(precise(max)) : undefined;
}

interface NumberFieldProps extends Omit<NumberInputProps, 'name' | 'describedBy'> {
  readonly label: string;
  readonly unit?: string;
}

/** A number with its unit behind it, which describes the field and is no part of its name. Empty means unknown. */
export function NumberField({ label, unit, ...field }: NumberFieldProps) {
  const id = useId();
  return (
    <label>
      {label}
      <span class="with-unit">
        <NumberInput {...field} describedBy={unit === undefined ? undefined : id} />
        {unit !== undefined && (
          <span id={id} aria-hidden="true">
            {unit}
          </span>
        )}
      </span>
    </label>
  );
}
