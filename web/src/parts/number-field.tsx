import { useId } from 'preact/hooks';

/** The service takes no larger amount of anything. */
const MAX_AMOUNT = 1_000_000;

interface NumberFieldProps {
  readonly label: string;
  readonly unit?: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly isRequired?: boolean;
  readonly min?: string;
  readonly max?: number | undefined;
  readonly placeholder?: string | undefined;
}

/** A number with its unit behind it, which describes the field and is no part of its name. Empty means unknown. */
export function NumberField({
  label,
  unit,
  value,
  onInput,
  isRequired = false,
  min = '0',
  max = MAX_AMOUNT,
  placeholder,
}: NumberFieldProps) {
  const id = useId();
  return (
    <label>
      {label}
      <span class="with-unit">
        <input
          type="number"
          inputMode="decimal"
          min={min}
          max={max}
          step="any"
          required={isRequired}
          aria-describedby={unit === undefined ? undefined : id}
          placeholder={placeholder}
          value={value}
          onInput={({ currentTarget: { value: text } }) => onInput(text)}
        />
        {unit !== undefined && (
          <span id={id} aria-hidden="true">
            {unit}
          </span>
        )}
      </span>
    </label>
  );
}
