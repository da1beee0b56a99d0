interface NumberFieldProps {
  readonly label: string;
  readonly unit?: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly isRequired?: boolean;
  readonly min?: string;
}

/** A number with its unit behind it. Empty means unknown. */
export function NumberField({
  label,
  unit,
  value,
  onInput,
  isRequired = false,
  min = '0',
}: NumberFieldProps) {
  return (
    <label>
      {label}
      <span class="with-unit">
        <input
          type="number"
          inputMode="decimal"
          min={min}
          step="any"
          required={isRequired}
          value={value}
          onInput={({ currentTarget: { value: text } }) => onInput(text)}
        />
        {unit}
      </span>
    </label>
  );
}
